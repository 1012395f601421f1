import { z } from 'zod'
import { PERMISSIONS } from '../../access/permission.ts'
import { PROFILES } from '../../access/profile.ts'
import type { SettingsView } from '../../service/administration/store-settings.ts'
import type { ApiKeyView, CalendarView, NewApiKeyFields } from '../../service/api.ts'
import { NOTIFICATION_KINDS } from '../../store/notifications.ts'
import type { CalendarJson } from '../../time/calendars/json.ts'
import { answeredInstant, anything, instant, text } from './values.ts'

const events = z.array(z.enum(NOTIFICATION_KINDS)).max(NOTIFICATION_KINDS.length)

const webhook = z.strictObject({
  id: z.string(),
  url: z
    .string()
    .meta({ description: 'Scheme and host, and `***` for the rest. With its id it may be sent back like this.' }),
  events: events.meta({ description: 'What it is told; all there is where it names nothing.' }),
  secret: z.string().optional().meta({ description: 'Only in the answer to whoever had it made.' }),
})

const settings = z.object({
  adminAddresses: z.array(z.string().meta({ minLength: 3, maxLength: 254 })).max(50),
  mailEvents: events,
  digestMinutes: z.int().min(0).max(1_440).meta({ description: 'For so long what happens is gathered into one mail.' }),
  language: z.enum(['pt-BR', 'en']),
  concurrency: z.union([z.int().min(1).max(100_000), z.literal('unlimited')]).nullable(),
  allowsSelfApproval: z.boolean(),
  allowsSeconds: z.boolean(),
  webhooks: z.array(webhook).max(20),
  pending: z
    .object({ allowsSelfApproval: z.literal(true), requestedBy: z.string(), requestedAt: answeredInstant })
    .nullable()
    .meta({ description: 'A loosening of the approval rules that waits for a second Admin.' }),
})

export const settingsView = settings.extend({ version: z.int() }) satisfies z.ZodType<SettingsView>

const { shape } = settingsView

/** Absent: as it is. A version that is sent back must be the stored one. */
export const settingsUpdate = z.strictObject({
  adminAddresses: shape.adminAddresses.exactOptional(),
  language: shape.language.exactOptional(),
  concurrency: shape.concurrency.exactOptional(),
  allowsSelfApproval: shape.allowsSelfApproval.exactOptional(),
  allowsSeconds: shape.allowsSeconds.exactOptional(),
  mailEvents: shape.mailEvents.exactOptional(),
  digestMinutes: shape.digestMinutes.exactOptional(),
  webhooks: z
    .array(
      z.strictObject({
        id: z.string().optional().meta({ description: 'That of one there is, whose secret stays where none is sent.' }),
        url: z.string(),
        events,
        secret: z
          .string()
          .meta({ pattern: '^[\\x21-\\x7e]{16,256}$' })
          .optional()
          .meta({ description: 'Default: one is made, and shown this once.' }),
      }),
    )
    .max(20)
    .exactOptional(),
  pending: shape.pending.optional(),
  version: shape.version.optional(),
})

export const settingsApproval = z.strictObject({ comment: text(1_000).nullable().optional() })
export const settingsRejection = z.strictObject({ reason: text(1_000, 1) })

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
