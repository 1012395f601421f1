import { z } from 'zod'
import type { App } from '../../engine/app/app.ts'
import { NonRetryableError } from '../../job/execution/failure.ts'
import { type AnyJobType, type JobContext, job } from '../../job/type/job-type.ts'
import type { Pontual } from '../../pontual.ts'
import type { ArchivePart, MoveAnswer } from '../../store/archive.ts'
import { cron } from '../../time/triggers/cron.ts'
import { HISTORY_MS } from '../owned.ts'

const BATCH = 1_000
const GIGABYTE = 2 ** 30

/** Somebody may use the tables for a while, such as a backup; then it is for the next day. */
const TRIES = 20
const PAUSE_MS = 3_000

/** Job types with which Pontual keeps what is old: jobs of the tenant of the application, that run every night. */
export function retentionTypes(app: () => Pontual): readonly AnyJobType[] {
  return [archiveOld(app), purgeExpired(app)]
}

/** `pontual.archive`: moves executions and entries of the audit log into the archive once they are 90 days old, and the audit log once it is too large. */
function archiveOld(app: () => Pontual): AnyJobType {
  return job('pontual.archive', {
    input: z.strictObject({ auditBytes: z.int().min(1).default(GIGABYTE) }).prefault({}),
    schedule: nightly('15 3 * * *'),
    run: async ({ auditBytes }, context) => {
      const opened = await openedForAll(app, context)
      const { archive } = opened.store
      const parts = await archive.due(HISTORY_MS)
      const done = await eachPart(opened, context, parts, (part) => archive.move(part, HISTORY_MS))
      let late = 0
      for (let count: number | null = BATCH; count === BATCH; ) {
        context.signal.throwIfAborted()
        count = await archive.moveLate(HISTORY_MS, BATCH)
        late += count ?? 0
        context.progress(1, `${late} executions that ended late`)
      }
      const isFull = (await archive.auditBytes()) >= auditBytes
      const isCut = isFull && (await patiently(opened, context, () => archive.cutAudit())) === 'done'
      const told = { ...done, late, isAuditCut: isCut }
      context.logger.info('Moved what is old into the archive', told)
      return told
    },
  })
}

/** `pontual.purge`: drops what has been in the archive until it was five years old, with all that is left of it elsewhere. */
function purgeExpired(app: () => Pontual): AnyJobType {
  return job('pontual.purge', {
    schedule: nightly('45 3 * * *'),
    run: async (_input: undefined, context) => {
      const opened = await openedForAll(app, context)
      const { archive } = opened.store
      const parts = await archive.expired()
      let removed = 0
      const done = await eachPart(opened, context, parts, async (part, fraction) => {
        for (let after: string | null = null, count = BATCH; count === BATCH; ) {
          context.signal.throwIfAborted()
          const cleared = await archive.clear(part, after, BATCH)
          count = cleared.count
          after = cleared.last
          removed += count
          context.progress(fraction, `${nameOf(part)}: ${removed} executions`)
        }
        return await archive.drop(part)
      })
      let decisions = 0
      for (let count = BATCH; count >= BATCH; ) {
        context.signal.throwIfAborted()
        count = await archive.clearLedger(BATCH)
        decisions += count
        context.progress(1, `${decisions} decisions about occurrences`)
      }
      const told = { ...done, removed, decisions }
      context.logger.info('Dropped what has been kept for five years', told)
      return told
    },
  })
}

function nightly(expression: string) {
  return { trigger: cron(expression, { timeZone: 'UTC' }), overlap: 'skip', onFaulted: 'continue' } as const
}

/** What is moved is of all tenants. */
async function openedForAll(app: () => Pontual, { tenant, jobType }: JobContext): Promise<App> {
  const opened = await app().opened()
  if (tenant === opened.options.tenant) return opened
  throw new NonRetryableError(`${jobType} is about all tenants: it runs as a job of the tenant of the application.`)
}

interface Done {
  readonly parts: readonly string[]
  /** Somebody uses the tables: tried again the next time. */
  readonly postponed: readonly string[]
}

async function eachPart(
  opened: App,
  context: JobContext,
  parts: readonly ArchivePart[],
  work: (part: ArchivePart, fraction: number) => Promise<MoveAnswer>,
): Promise<Done> {
  const done: string[] = []
  const postponed: string[] = []
  for (const [index, part] of parts.entries()) {
    context.signal.throwIfAborted()
    const fraction = index / parts.length
    context.progress(fraction, nameOf(part))
    const answer = await patiently(opened, context, () => work(part, fraction))
    if (answer === 'busy' || answer === 'refused') postponed.push(nameOf(part))
    else done.push(nameOf(part))
  }
  context.progress(1)
  return { parts: done, postponed }
}

/** Applications whose role may not alter tables, and that have said so. */
const refused = new WeakSet<App>()

async function patiently(opened: App, context: JobContext, work: () => Promise<MoveAnswer>): Promise<MoveAnswer> {
  for (let tries = 1; ; tries++) {
    const answer = await work()
    if (answer === 'refused' && !refused.has(opened)) {
      refused.add(opened)
      context.logger.warn('This role may not move what is old: let the owner of the tables own all partitions of them')
    }
    if (answer !== 'busy' || tries === TRIES) return answer
    await opened.pauses.pause(PAUSE_MS, context.signal)
    context.signal.throwIfAborted()
  }
}

function nameOf({ kind, name }: ArchivePart): string {
  return kind === 'audit' ? name : `${kind}_${name}`
}
