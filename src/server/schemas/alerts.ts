import { z } from 'zod'
import type { AlertRuleView, AlertsPage, AlertView } from '../../service/api.ts'
import { ALERT_KINDS } from '../../store/alerts.ts'
import { answeredInstant } from './values.ts'

export const alertKind = z.enum(ALERT_KINDS)
const alertScope = z.enum(['tenant', 'global'])
const level = z.enum(['warn', 'error'])
const figure = z.number().nullable()

export const alertView = z.object({
  id: z.string(),
  kind: alertKind,
  scope: alertScope,
  level,
  name: z.string(),
  description: z.string(),
  action: z.string(),
  isOpen: z.boolean(),
  jobId: z.string().nullable(),
  jobName: z.string().nullable(),
  executionId: z.string().nullable(),
  value: figure,
  threshold: figure,
  since: answeredInstant,
  openedAt: answeredInstant,
  closedAt: answeredInstant.nullable(),
  outcome: z.enum(['recovered', 'cleared', 'removed', 'disabled']).nullable(),
}) satisfies z.ZodType<AlertView>

const settled = {
  isEnabled: z.boolean(),
  threshold: figure,
  clearAt: figure,
  holdSeconds: z.int().min(0).max(604_800),
  clearSeconds: z.int().min(0).max(604_800),
}

export const alertRuleView = z.object({
  kind: alertKind,
  scope: alertScope,
  level,
  name: z.string(),
  ...settled,
}) satisfies z.ZodType<AlertRuleView>

export const alertsPage = z.object({
  items: z.array(alertView),
  nextCursor: z.string().nullable(),
  rules: z.array(alertRuleView),
}) satisfies z.ZodType<AlertsPage>

/** Absent: as it is. What names the rule may be sent back as it was read. */
export const alertRuleUpdate = z.strictObject({
  kind: alertKind.exactOptional(),
  scope: alertScope.exactOptional(),
  level: level.exactOptional(),
  name: z.string().exactOptional(),
  isEnabled: settled.isEnabled.exactOptional(),
  threshold: settled.threshold.exactOptional(),
  clearAt: settled.clearAt.exactOptional(),
  holdSeconds: settled.holdSeconds.exactOptional(),
  clearSeconds: settled.clearSeconds.exactOptional(),
})
