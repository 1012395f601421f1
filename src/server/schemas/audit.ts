import { z } from 'zod'
import { AUDIT_OPERATIONS } from '../../access/audit.ts'
import type { AuditEntryView, AuditVerdict, TenantEvent } from '../../service/api.ts'
import { answeredInstant, anything, pageOf } from './values.ts'

const auditOperation = z.enum(AUDIT_OPERATIONS)

export const auditEntryView = z.object({
  sequence: z.int(),
  operation: auditOperation,
  operationType: z.string(),
  userId: z.string().nullable(),
  clienteId: z.string(),
  jobId: z.string().nullable(),
  jobName: z.string().nullable().meta({ description: 'As the job is called now.' }),
  executionId: z.string().nullable(),
  oldValues: anything,
  newValues: anything,
  timestamp: answeredInstant,
  previousHash: z.string(),
  hash: z.string(),
}) satisfies z.ZodType<AuditEntryView>

export const auditPage = pageOf(auditEntryView)

export const auditVerdict = z.discriminatedUnion('isIntact', [
  z.object({ isIntact: z.literal(true), entries: z.int(), hash: z.string() }),
  z.object({ isIntact: z.literal(false), entries: z.int(), sequence: z.int(), reason: z.string() }),
]) satisfies z.ZodType<AuditVerdict>

export const tenantEvent = z.object({
  sequence: z.int(),
  operation: auditOperation,
  jobId: z.string().nullable(),
  executionId: z.string().nullable(),
  timestamp: answeredInstant,
}) satisfies z.ZodType<TenantEvent>
