import fc from 'fast-check'
import { ForbiddenError } from '../../../src/access/errors.ts'
import { approvedJob, asFirstSeen, rejectedJob } from '../../../src/engine/lifecycle/approval.ts'
import { UnknownJobError } from '../../../src/engine/lifecycle/change-job.ts'
import { disabledJob, enabledJob, pausedJob, resumedJob } from '../../../src/engine/lifecycle/change-status.ts'
import { editedJob } from '../../../src/engine/lifecycle/redefine-job.ts'
import type { Job } from '../../../src/job/job.ts'
import { JobConflictError } from '../../../src/job/job-status.ts'
import { job } from '../../../src/job/type/job-type.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { cron } from '../../../src/time.ts'
import { Cluster } from '../../suites/scenarios/cluster.ts'
import { type Decide, person, Stage } from './stage.ts'

const PEOPLE = ['ana', 'ben', 'dora', 'eva']

/** What somebody tries. Whoever wants to approve something looks at it first, and wants only what is good. */
interface Attempt {
  readonly what:
    | 'edit'
    | 'rename'
    | 'switchOff'
    | 'approve'
    | 'reject'
    | 'run'
    | 'runOther'
    | 'retry'
    | 'pause'
    | 'resume'
    | 'disable'
    | 'enable'
    | 'wait'
  readonly who: number
  readonly isGood: boolean
}

const attempt: fc.Arbitrary<Attempt> = fc.record({
  what: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('approve') },
    { weight: 3, arbitrary: fc.constantFrom('edit', 'run', 'wait') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'rename',
        'switchOff',
        'reject',
        'runOther',
        'retry',
        'pause',
        'resume',
        'disable',
        'enable',
      ),
    },
  ),
  who: fc.nat(PEOPLE.length - 1),
  isGood: fc.boolean(),
})

/** Waves of what several people try at the same time. */
const attempts: fc.Arbitrary<Attempt[][]> = fc.array(fc.array(attempt, { minLength: 1, maxLength: 6 }), {
  minLength: 4,
  maxLength: 14,
})

const wipe = job<unknown>('wipe', {
  retry: { retries: 0 },
  run: () => {
    throw new Error('It fails, so that it can be tried again.')
  },
})

/** What has come to pass, over all worlds: where one stays zero, nothing was shown. */
interface Seen {
  approved: number
  refused: number
  overtaken: number
  voided: number
  executions: number
}

/** Lets people try everything at once, so many times. Throws where something ran that nobody approved. */
export async function tryEverything(source: () => StoreSource, numRuns: number): Promise<Seen> {
  const seen: Seen = { approved: 0, refused: 0, overtaken: 0, voided: 0, executions: 0 }
  let world = 0
  const holds = fc.asyncProperty(attempts, (waves) => new FourEyes(source(), `wipe-${++world}`, seen).run(waves))
  // Worlds are slow to shrink; the seed that is told plays one again.
  await fc.assert(holds, { numRuns, endOnFailure: true })
  const missing = Object.entries(seen).filter(([, times]) => times === 0)
  if (missing.length > 0) throw new Error(`It never came to pass: ${missing.map(([what]) => what).join(', ')}.`)
  return seen
}

/** A sensitive job on two nodes, people who do all they can to it at once, and what must never happen. */
class FourEyes {
  readonly #cluster: Cluster
  readonly #seen: Seen
  readonly #authors = new Map<number, string>()
  /** Who said yes to what. */
  readonly #approvers = new Map<number, Set<string>>()
  readonly #name: string
  #stages: Stage[] = []
  #apps: Awaited<ReturnType<Cluster['startAll']>> = []
  #made = 0

  constructor(store: StoreSource, name: string, seen: Seen) {
    this.#cluster = new Cluster(Date.UTC(2026, 2, 2, 9, 59, 30), { store })
    this.#name = name
    this.#seen = seen
  }

  async run(waves: readonly (readonly Attempt[])[]): Promise<void> {
    this.#apps = await this.#cluster.startAll([{ jobs: [wipe] }, { jobs: [wipe] }])
    this.#stages = await Promise.all(this.#apps.map((app) => Stage.of(app)))
    const [stage] = this.#stages
    if (!stage) throw new Error('There is no node.')
    const definition = await this.#define(stage, 'ana', true)
    const made = await stage.create({ name: this.#name, definition, isSensitive: true }, person('ana'))
    for (const wave of waves) {
      // Time goes on for all of them at once.
      const isTold = ({ what }: Attempt, index: number) =>
        what !== 'wait' || wave.findIndex((each) => each.what === 'wait') === index
      const done = await Promise.allSettled(wave.filter(isTold).map((each, index) => this.#try(each, index, made)))
      for (const each of done) if (each.status === 'rejected') this.#tolerate(each.reason)
      await this.#check(made)
    }
    await this.#cluster.advance('2 minutes')
    this.#seen.executions += await this.#check(made)
    await stage.around.store.jobs.remove([made.id])
    await this.#cluster.stop()
  }

  async #define(stage: Stage, who: string, isGood: boolean) {
    this.#made += 1
    this.#authors.set(this.#made, who)
    const input = { n: this.#made, isGood }
    const onFaulted = this.#made % 2 === 0 ? 'stop' : 'continue'
    return await stage.define({ trigger: cron('* * * * *'), input, onFaulted }, wipe)
  }

  async #try({ what, who, isGood }: Attempt, index: number, { id }: Job): Promise<void> {
    const stage = this.#stages[index % 2]
    const app = this.#apps[index % 2]
    const by = person(PEOPLE[who] ?? 'ana')
    if (!stage || !app) throw new Error('There is no node.')
    const { around } = stage
    const [now] = await around.store.jobs.find([id])
    if (!now) throw new Error('The job is gone.')
    const change = (decide: Decide) => stage.change(now, decide)
    const asSeen = (decide: (found: Job) => ReturnType<typeof approvedJob>) => {
      const seen = asFirstSeen(decide)
      return change(async (found) => {
        if (found.version !== now.version) throw new JobConflictError('stale_version', 'It was changed.')
        return await seen(found)
      })
    }
    switch (what) {
      case 'edit': {
        const definition = await this.#define(stage, by.userId ?? '', isGood)
        const edited = await change((found) =>
          editedJob(around, found, { definition, ...(isGood && { isSensitive: true }) }, by),
        )
        if (now.status === 'APPROVED' && edited.status === 'PENDING_APPROVAL') this.#seen.voided += 1
        return
      }
      case 'rename':
        await change((found) => editedJob(around, found, { name: `${this.#name} ${++this.#made}` }, by))
        return
      case 'switchOff':
        await change((found) => editedJob(around, found, { isSensitive: false }, by))
        return
      case 'approve': {
        // A yes to a job that needs none any more is a yes to whatever follows.
        if (!inputOf(now.definition.payload).isGood || !now.details.isSensitive) return
        const approved = await asSeen((found) =>
          approvedJob(around, found, { comment: null, allowsSelfApproval: false }, by),
        )
        const { n } = inputOf(now.definition.payload)
        if (approved.details.approval?.by === by.userId) this.#seen.approved += 1
        this.#approvers.set(n, (this.#approvers.get(n) ?? new Set()).add(by.userId ?? ''))
        return
      }
      case 'reject':
        await asSeen(async (found) => rejectedJob(found, { reason: 'no' }, by))
        return
      case 'run':
        await app.runNow(now.name)
        return
      case 'runOther':
        await app.runNow(now.name, { n: 0, isGood: false })
        return
      case 'retry': {
        const [last] = await app.executions({ jobId: id, statuses: ['FAILED'], limit: 1 })
        if (last) await app.retry(last.id)
        return
      }
      case 'pause':
        await change((found) => pausedJob(around, found, { reason: null, until: around.time.now() + 90_000 }, by))
        return
      case 'resume':
        await change((found) => resumedJob(around, found, by))
        return
      case 'disable':
        await change((found) => disabledJob(found, null, by))
        return
      case 'enable':
        await change((found) => enabledJob(around, found, by))
        return
      case 'wait':
        await this.#cluster.advance('1 minute')
    }
  }

  /** Somebody may be too late, or not be allowed to; nothing else may go wrong. */
  #tolerate(error: unknown): void {
    if (error instanceof ForbiddenError) this.#seen.refused += 1
    else if (error instanceof JobConflictError || error instanceof UnknownJobError) this.#seen.overtaken += 1
    else throw error
  }

  /** Whatever was queued has to be what a second person said yes to; nobody says yes to what is not good. Returns how many there are. */
  async #check({ id }: Job): Promise<number> {
    const [app] = this.#apps
    const executions = (await app?.executions({ jobId: id, limit: 1_000 })) ?? []
    for (const { input, id: executionId } of executions) {
      const { n, isGood } = input as { n: number; isGood: boolean }
      // Its author may say yes too once somebody else has, and a third one has changed something about it.
      const others = [...(this.#approvers.get(n) ?? [])].filter((who) => who !== this.#authors.get(n))
      if (isGood && others.length > 0) continue
      throw new Error(`Execution ${executionId} runs ${JSON.stringify(input)}, which nobody approved.`)
    }
    return executions.length
  }
}

function inputOf(payload: string | null): { readonly n: number; readonly isGood: boolean } {
  return JSON.parse(payload ?? 'null') as { n: number; isGood: boolean }
}
