import type { Env } from '../../clock.ts'
import type { JobSchedule } from '../../job/job.ts'
import type { ScheduledJob } from '../../store/jobs.ts'
import type { Calendar } from '../../time/calendars/calendar.ts'
import { calendarFrom } from '../../time/calendars/from-json.ts'
import { firesLeft, underCalendar, withoutLimit } from '../../time/trigger-state.ts'
import { triggerFrom } from '../../time/triggers/from-json.ts'
import { JitteredTrigger } from '../../time/triggers/jittered.ts'
import type { TriggerJson } from '../../time/triggers/json.ts'
import type { Trigger } from '../../time/triggers/trigger.ts'
import type { Scope } from '../scope.ts'

/** Some milliseconds. */
const WORK_A_TURN = 10_000

/** Lets others have their turn while something takes long. */
export class Turns {
  readonly #env: Pick<Env, 'nextTurn'>
  #work = 0

  constructor(env: Pick<Env, 'nextTurn'>) {
    this.#env = env
  }

  /** To be called after so many small steps. */
  async worked(steps: number): Promise<void> {
    this.#work += steps
    if (this.#work < WORK_A_TURN) return
    this.#work = 0
    await new Promise<void>((resolve) => this.#env.nextTurn(resolve))
  }
}

const PAGE = 500
const MOST_JOBS = 20_000

export interface FiringJobs {
  readonly jobs: readonly ScheduledJob[]
  readonly isAll: boolean
}

/** Jobs that fire by themselves, by name; at most so many. */
export async function firingJobs({ store, tenant }: Scope): Promise<FiringJobs> {
  const jobs: ScheduledJob[] = []
  for (;;) {
    const page = await store.jobs.schedules({ tenant, limit: PAGE, after: jobs.at(-1)?.name })
    jobs.push(...page)
    if (page.length < PAGE) return { jobs, isAll: true }
    if (jobs.length >= MOST_JOBS) return { jobs, isAll: false }
  }
}

/** The calendars of a tenant, by name. */
export async function namedCalendars({ store, tenant }: Scope): Promise<(name: string | null) => NamedCalendar | null> {
  const stored = new Map((await store.calendars.list(tenant)).map(({ name, definition }) => [name, definition]))
  const read = new Map<string, NamedCalendar>()
  return (name) => {
    const definition = name === null ? undefined : stored.get(name)
    if (name === null || definition === undefined) return null
    const known = read.get(name) ?? { name, calendar: calendarFrom(definition) }
    read.set(name, known)
    return known
  }
}

/** A calendar, and a name that tells it from others. */
export interface NamedCalendar {
  readonly name: string
  readonly calendar: Calendar
}

/** What decides when a job fires, so that jobs which fire together are known to do so. */
export interface Rule {
  /** The same for all jobs that have the same trigger and calendar, whatever their jitter is. */
  readonly key: string
  readonly trigger: Trigger
  /** How much later than the trigger says. */
  readonly shiftMs: number
  /** How often it may still fire. */
  readonly firesLeft: number
}

export function ruleOf(schedule: JobSchedule, calendar: NamedCalendar | null): Rule {
  const json = schedule.currentTrigger
  const trigger = triggerFrom(json)
  // Under a calendar what is later may be on another day.
  if (trigger instanceof JitteredTrigger && json.type === 'jittered' && calendar === null) {
    return {
      key: keyOf(json.trigger, null),
      trigger: trigger.trigger,
      shiftMs: trigger.offsetMs,
      firesLeft: Number.POSITIVE_INFINITY,
    }
  }
  const state = { ...schedule, trigger }
  return {
    key: keyOf(json, calendar),
    trigger: underCalendar(withoutLimit(state), calendar?.calendar ?? null),
    shiftMs: 0,
    firesLeft: firesLeft(state),
  }
}

/** Whose job it is matters to an expression with an H alone. */
function keyOf(json: TriggerJson, calendar: NamedCalendar | null): string {
  const { identity, ...rest } = { identity: undefined, ...json }
  const counts = json.type !== 'cron' || /h/i.test(json.expression)
  return JSON.stringify([rest, counts ? identity : undefined, calendar?.name])
}
