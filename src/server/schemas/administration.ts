import { z } from 'zod'
import { PERMISSIONS } from '../../access/permission.ts'
import { PROFILES } from '../../access/profile.ts'
import type { ApiKeyView, CalendarView, NewApiKeyFields } from '../../service/api.ts'
import type { TenantSettings } from '../../store/settings.ts'
import type { CalendarJson } from '../../time/calendars/json.ts'
import { answeredInstant, anything, instant, text } from './values.ts'

const settings = z.object({
  adminAddresses: z.array(z.string()).max(50),
  language: z.enum(['pt-BR', 'en']),
  concurrency: z.union([z.int().min(1).max(100_000), z.literal('unlimited')]).nullable(),
  allowsSelfApproval: z.boolean(),
  allowsSeconds: z.boolean(),
  webhooks: z.array(z.strictObject({ url: z.string(), events: z.array(z.string()).max(50) })).max(20),
}) satisfies z.ZodType<TenantSettings>

export const settingsView = settings.extend({ version: z.int() })

const { shape } = settingsView

/** Absent: as it is. A version that is sent back must be the stored one. */
export const settingsUpdate = z.strictObject({
  adminAddresses: shape.adminAddresses.exactOptional(),
  language: shape.language.exactOptional(),
  concurrency: shape.concurrency.exactOptional(),
  allowsSelfApproval: shape.allowsSelfApproval.exactOptional(),
  allowsSeconds: shape.allowsSeconds.exactOptional(),
  webhooks: shape.webhooks.exactOptional(),
  version: shape.version.optional(),
})

export const profile = z.enum(PROFILES)

export const apiKeyView = z.object({
  id: z.string(),
  name: z.string(),
  profile,
  permissions: z.array(z.enum(PERMISSIONS)),
  ownerId: z.string(),
  createdAt: answeredInstant,
  expiresAt: answeredInstant.nullable(),
  revokedAt: answeredInstant.nullable(),
  lastUsedAt: answeredInstant.nullable(),
}) satisfies z.ZodType<ApiKeyView>

export const apiKeyWithSecret = apiKeyView.extend({ secret: z.string() })

export const newApiKey = z.strictObject({
  name: text(255, 3),
  profile,
  permissions: z.array(z.enum(PERMISSIONS)).max(PERMISSIONS.length).optional(),
  expiresAt: instant.nullable().optional(),
}) satisfies z.ZodType<NewApiKeyFields>

const calendarDefinition = z.custom<CalendarJson>().meta({
  type: 'object',
  description: 'A calendar: holiday, annual, monthly, weekly, daily or cron.',
  properties: { type: { type: 'string' } },
  required: ['type'],
})

export const calendarView = z.object({
  name: z.string(),
  definition: calendarDefinition,
}) satisfies z.ZodType<CalendarView>

export const calendarUpdate = z.strictObject({
  name: z.string().optional().meta({ description: 'May be sent back as it was read.' }),
  definition: z.record(z.string(), anything),
})
