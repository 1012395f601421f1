import { z } from 'zod'
import type { AgendaView, CalendarPreviewView, UpcomingView } from '../../service/api.ts'
import { AGENDA_BUCKETS, type CalendarPreviewRequest } from '../../service/requests.ts'
import { answeredInstant, anything, id, instant, integerParameter } from './values.ts'

const MOST_UPCOMING = 100

const bucketMinutes = z
  .enum(AGENDA_BUCKETS.map(String) as [string, ...string[]])
  .transform((text) => AGENDA_BUCKETS.find((each) => String(each) === text))
  .pipe(z.literal(AGENDA_BUCKETS))

export const agendaQuery = z.strictObject({
  from: instant.optional().meta({ description: 'Default: now.' }),
  to: instant.optional().meta({ description: 'At most 45 days later. Default: a week later.' }),
  bucketMinutes: bucketMinutes.default(60),
  jobId: id.optional(),
})

const item = z.object({ jobId: z.string(), name: z.string(), at: answeredInstant })
const isSuspended = z
  .boolean()
  .meta({ description: 'Whether nothing of this fires until JOBS_SCHEDULING is switched on again.' })

export const agendaView = z.object({
  from: answeredInstant,
  to: answeredInstant,
  bucketMinutes: z.int(),
  jobs: z.int().meta({ description: 'How many jobs fire by themselves.' }),
  isSuspended,
  buckets: z
    .array(z.object({ at: answeredInstant, count: z.int() }))
    .meta({ description: 'Those in which something fires; they begin at multiples of their length since the epoch.' }),
  items: z.array(item).meta({ description: 'The first 500.' }),
  isPartial: z.boolean().meta({ description: 'Whether it would have taken too long to find out all of it.' }),
}) satisfies z.ZodType<AgendaView>

export const upcomingQuery = z.strictObject({ limit: integerParameter(1, MOST_UPCOMING).default(10) })

export const upcomingView = z.object({
  isSuspended,
  items: z.array(item.extend({ timeZone: z.string() })),
}) satisfies z.ZodType<UpcomingView>

export const calendarPreview = z.strictObject({
  definition: z.record(z.string(), anything),
  days: z.int().min(1).max(366).default(30).meta({ description: 'From now on.' }),
}) satisfies z.ZodType<CalendarPreviewRequest>

export const calendarPreviewView = z.object({
  jobs: z.array(
    z.object({
      jobId: z.string(),
      name: z.string(),
      removed: z.array(answeredInstant).meta({ description: 'The first 100.' }),
      added: z.array(answeredInstant).meta({ description: 'The first 100.' }),
      removedCount: z.int(),
      addedCount: z.int(),
    }),
  ),
  approvals: z
    .array(z.object({ jobId: z.string(), name: z.string() }))
    .meta({ description: 'Sensitive jobs that become PENDING_APPROVAL with the change.' }),
  isPartial: z.boolean(),
}) satisfies z.ZodType<CalendarPreviewView>
