import { describe, expect, it } from 'vitest'
import { openAnswering } from '../../../test/http/service/answering.ts'
import {
  ana,
  bia,
  fields,
  manager,
  openStage,
  refusalOf,
  type Stage,
  stranger,
} from '../../../test/http/service/stage.ts'
import { job } from '../../job/type/job-type.ts'
import { type Logger, loggerTo } from '../../logger.ts'
import { memory } from '../../store/memory/memory.ts'
import type { NotificationKind } from '../../store/notifications.ts'
import { cron } from '../../time/triggers/cron.ts'
import { AlertWatch } from './alert-watch.ts'

interface Line {
  readonly level: string
  readonly message: string
  readonly kind: unknown
}

/** What is said about alerts. */
function recorded(): { readonly lines: Line[]; readonly logger: Logger } {
  const lines: Line[] = []
  const logger = loggerTo((level, message, { kind }) => {
    if (message.startsWith('alert.')) lines.push({ level, message, kind })
  })
  return { lines, logger }
}

/** A stage on which alerts are watched; ana is of the operator's tenant. */
async function openWatched(logger?: Logger): Promise<Stage> {
  const stage = await openStage({ tenant: 'acme', ...(logger && { logger }) })
  const opened = await stage.test.app.opened()
  opened.join(new AlertWatch(opened))
  await stage.test.settle()
  return stage
}

/** A job type that fails while it is broken. */
const flaky = (isBroken: () => boolean) =>
  job('Instavel', {
    retry: { retries: 0 },
    run: () => {
      if (isBroken()) throw new Error('no such file')
    },
  })

async function pass(stage: Stage, seconds: number): Promise<void> {
  for (let at = 0; at < seconds; at += 15) await stage.test.advance('15s')
}

const kindsOf = async ({ service }: Stage, isOpen: boolean, who = ana) =>
  (await service.overview.alerts(who, { limit: 50, isOpen })).items.map(({ scope, kind }) => `${scope} ${kind}`).sort()

async function notified({ test: { app } }: Stage, tenant = 'acme'): Promise<NotificationKind[]> {
  const { store } = await app.opened()
  return (await store.notifications.list({ tenant, limit: 100 })).map(({ kind }) => kind).reverse()
}

describe('workers that are all busy', () => {
  it('open an alert after a minute, and close it once some have been free for five', async () => {
    const { lines, logger } = recorded()
    await using stage = await openWatched(logger)
    const { jobs } = stage.service
    const { id } = await jobs.create(ana, fields({ jobType: 'Demorar' }))
    for (let n = 0; n < 10; n += 1) await jobs.execute(ana, id, {})
    await pass(stage, 60)
    expect(await kindsOf(stage, true)).toEqual([])
    await pass(stage, 30)
    expect(await kindsOf(stage, true)).toEqual(['global workersSaturated', 'tenant workersSaturated'])
    expect(lines).toEqual([
      { level: 'warn', message: 'alert.opened', kind: 'workersSaturated' },
      { level: 'warn', message: 'alert.opened', kind: 'workersSaturated' },
    ])
    await jobs.cancel(ana, id, { executionId: null, reason: null })
    await pass(stage, 300)
    expect(await kindsOf(stage, true)).toHaveLength(2)
    await pass(stage, 30)
    expect(await kindsOf(stage, true)).toEqual([])
    expect(await kindsOf(stage, false)).toHaveLength(2)
    expect(lines.slice(2)).toEqual([
      { level: 'info', message: 'alert.closed', kind: 'workersSaturated' },
      { level: 'info', message: 'alert.closed', kind: 'workersSaturated' },
    ])
    expect(await notified(stage)).toEqual(['alert.opened', 'alert.opened', 'alert.closed', 'alert.closed'])
  })
})

describe('a queue that is long', () => {
  it('opens an alert of the tenant, and of the operator, as errors', async () => {
    const { lines, logger } = recorded()
    await using stage = await openWatched(logger)
    const { jobs } = stage.service
    const { id } = await jobs.create(stranger, fields({ jobType: 'Demorar' }))
    for (let n = 0; n < 110; n += 1) await jobs.execute(stranger, id, {})
    await pass(stage, 90)
    expect(await kindsOf(stage, true, stranger)).toEqual(['tenant queueCongested', 'tenant workersSaturated'])
    expect(await kindsOf(stage, true)).toEqual(['global queueCongested', 'global workersSaturated'])
    expect(lines.filter(({ kind }) => kind === 'queueCongested')).toEqual([
      { level: 'error', message: 'alert.opened', kind: 'queueCongested' },
      { level: 'error', message: 'alert.opened', kind: 'queueCongested' },
    ])
    expect(await notified(stage, 'globex')).toEqual(['alert.opened', 'alert.opened'])
  })
})

describe('a job that fails', () => {
  it('opens an alert in that moment, is told once, and the next success closes it', async () => {
    const { lines, logger } = recorded()
    let isBroken = true
    await using stage = await openStage({ tenant: 'acme', logger, jobs: [flaky(() => isBroken)] })
    const opened = await stage.test.app.opened()
    opened.join(new AlertWatch(opened))
    const { jobs, overview } = stage.service
    const { id } = await jobs.create(ana, fields({ jobType: 'Instavel' }))
    await stage.test.advance('20s')
    const { executionId } = await jobs.execute(ana, id, {})
    await stage.test.settle()
    const { items } = await overview.alerts(ana, { limit: 10, language: 'pt-BR' })
    expect(items).toMatchObject([
      { kind: 'jobFailed', level: 'error', name: 'Job Falhado', isOpen: true, jobId: id, executionId, outcome: null },
    ])
    expect((await overview.dashboard(ana)).alerts).toMatchObject([{ kind: 'jobFailed', name: 'Job failed' }])
    await pass(stage, 15)
    expect(lines).toEqual([{ level: 'error', message: 'alert.opened', kind: 'jobFailed' }])
    isBroken = false
    await stage.test.advance('10m')
    await jobs.execute(ana, id, {})
    await stage.test.settle()
    const [closed] = (await overview.alerts(ana, { limit: 10 })).items
    expect(closed).toMatchObject({
      isOpen: false,
      outcome: 'recovered',
      closedAt: new Date(stage.test.now()).toISOString(),
    })
    await pass(stage, 15)
    expect(lines.at(-1)).toEqual({ level: 'info', message: 'alert.closed', kind: 'jobFailed' })
    expect(await notified(stage)).toEqual(['job.failed'])
    expect(await opened.store.alerts.recoveries('acme', 0)).toEqual({ count: 1, meanMs: 10 * 60_000 + 15_000 })
  })
})

describe('a scheduler that nobody runs', () => {
  it('is noticed by a process that only answers, and by its return', async () => {
    const { lines, logger } = recorded()
    const store = memory()
    const worker = await openStage({ store })
    await using answering = await openAnswering(store, { logger })
    const { overview } = answering.service
    const pass = async (seconds: number) => {
      for (let at = 0; at < seconds; at += 15) await answering.advance(15_000)
    }
    await pass(120)
    expect(lines).toEqual([])
    await worker.test.stop()
    await pass(15)
    expect(lines).toEqual([])
    await pass(15)
    expect(lines).toEqual([{ level: 'error', message: 'alert.opened', kind: 'schedulerUnavailable' }])
    expect((await overview.alerts(ana, { limit: 1, language: 'pt-BR' })).items).toMatchObject([
      { kind: 'schedulerUnavailable', scope: 'global', action: 'Acione o engenheiro de plantão.', isOpen: true },
    ])
    const told = async () => {
      const opened = await answering.app.opened()
      return (await opened.store.notifications.list({ tenant: 'acme', limit: 9 })).map(({ kind }) => kind)
    }
    expect(await told()).toEqual(['scheduler.unavailable'])
    const another = await openStage({ store })
    await pass(330)
    expect(lines.at(-1)).toEqual({ level: 'info', message: 'alert.closed', kind: 'schedulerUnavailable' })
    expect(await told()).toEqual(['alert.closed', 'scheduler.unavailable'])
    await another.test.stop()
  })
})

describe('an audit log that is full', () => {
  it('opens an alert as a warning, and the archive begins', async () => {
    const { lines, logger } = recorded()
    await using stage = await openWatched(logger)
    const { store } = await stage.test.app.opened()
    await stage.test.app.schedule('ImportarFaturas', { name: 'pontual.archive', trigger: cron('0 3 * * *') })
    await stage.service.administration.updateAlertRule(ana, 'auditFull', { threshold: 1_000_000 })
    const draft = {
      operation: 'JOBS_JOB_UPDATE',
      userId: null,
      jobId: null,
      executionId: null,
      oldValues: null,
    } as const
    const entry = { ...draft, tenant: 'globex', newValues: { text: 'x'.repeat(10_000) } }
    await store.audit.append(Array.from({ length: 110 }, () => entry))
    await pass(stage, 90)
    expect(await kindsOf(stage, true)).toEqual(['global auditFull'])
    expect(lines).toEqual([{ level: 'warn', message: 'alert.opened', kind: 'auditFull' }])
    const [run, ...others] = await stage.test.app.executions({ jobType: 'ImportarFaturas' })
    expect([run?.status, run?.origin, others]).toEqual(['SUCCESS', 'manual', []])
    await pass(stage, 90)
    expect(await stage.test.app.executions({ jobType: 'ImportarFaturas' })).toHaveLength(1)
  })
})

describe('timeouts', () => {
  it('that are frequent open an alert as a warning', async () => {
    const { lines, logger } = recorded()
    await using stage = await openWatched(logger)
    const { jobs } = stage.service
    const works = await jobs.create(ana, fields())
    const hangs = await jobs.create(ana, fields({ jobType: 'Demorar', timeoutMinutes: 5, retryCount: 0 }))
    for (let n = 0; n < 18; n += 1) await jobs.execute(ana, works.id, {})
    for (let n = 0; n < 2; n += 1) await jobs.execute(ana, hangs.id, {})
    await pass(stage, 420)
    expect(await kindsOf(stage, true)).toEqual(['tenant jobFailed'])
    await jobs.execute(ana, hangs.id, {})
    await pass(stage, 420)
    expect(await kindsOf(stage, true)).toEqual(['tenant jobFailed', 'tenant timeoutsFrequent'])
    expect(lines.at(-1)).toEqual({ level: 'warn', message: 'alert.opened', kind: 'timeoutsFrequent' })
  })
})

describe('rules', () => {
  it('have defaults, and those about all tenants are the operator’s', async () => {
    await using stage = await openStage({ tenant: 'acme' })
    const { overview } = stage.service
    const { rules } = await overview.alerts(ana, { limit: 1, language: 'pt-BR' })
    expect(rules.map(({ scope, kind, level, name, threshold }) => [scope, kind, level, name, threshold])).toEqual([
      ['tenant', 'jobFailed', 'error', 'Job Falhado', null],
      ['tenant', 'workersSaturated', 'warn', 'Worker Pool Saturado', null],
      ['global', 'workersSaturated', 'warn', 'Worker Pool Saturado', null],
      ['tenant', 'queueCongested', 'error', 'Fila Congestionada', 100],
      ['global', 'queueCongested', 'error', 'Fila Congestionada', 100],
      ['tenant', 'timeoutsFrequent', 'warn', 'Timeout Frequente', 0.1],
      ['global', 'schedulerUnavailable', 'error', 'Scheduler Indisponível', 30],
      ['global', 'auditFull', 'warn', 'Auditoria Cheia', 1_073_741_824],
    ])
    const others = (await overview.alerts(stranger, { limit: 1 })).rules
    expect(others.map(({ kind }) => kind)).toEqual([
      'jobFailed',
      'workersSaturated',
      'queueCongested',
      'timeoutsFrequent',
    ])
  })

  it('are changed field by field, with an entry in the audit log', async () => {
    await using stage = await openStage({ tenant: 'acme' })
    const { administration, overview, audit } = stage.service
    const changed = await administration.updateAlertRule(bia, 'queueCongested', { threshold: 500, clearAt: 50 })
    expect(changed).toMatchObject({ scope: 'tenant', threshold: 500, clearAt: 50, holdSeconds: 60, isEnabled: true })
    await administration.updateAlertRule(bia, 'queueCongested', { threshold: null, isEnabled: false })
    await administration.updateAlertRule(bia, 'queueCongested', { scope: 'global', holdSeconds: 0 })
    const { rules } = await overview.alerts(manager, { limit: 1 })
    expect(rules.filter(({ kind }) => kind === 'queueCongested')).toMatchObject([
      { scope: 'tenant', threshold: 100, clearAt: 50, isEnabled: false },
      { scope: 'global', threshold: 100, holdSeconds: 0, isEnabled: true },
    ])
    const { items } = await audit.list(ana, { limit: 10, operation: ['JOBS_ALERT_UPDATE'] })
    expect(items.at(-1)).toMatchObject({
      userId: 'bia',
      operationType: 'UPDATE',
      oldValues: { kind: 'queueCongested', threshold: 100, clearAt: null },
      newValues: { kind: 'queueCongested', threshold: 500, clearAt: 50 },
    })
    expect(items).toHaveLength(3)
  })

  const refused: [string, Parameters<Stage['service']['administration']['updateAlertRule']>[1], object, unknown][] = [
    ['a threshold of nothing', 'queueCongested', { threshold: 0 }, { '/threshold': 'out_of_range' }],
    ['half an execution', 'queueCongested', { threshold: 1.5 }, { '/threshold': 'type_invalid' }],
    ['more than all', 'timeoutsFrequent', { threshold: 1.1 }, { '/threshold': 'out_of_range' }],
    ['no number', 'timeoutsFrequent', { threshold: Number.NaN }, { '/threshold': 'type_invalid' }],
    ['a threshold where there is none', 'jobFailed', { threshold: 3 }, { '/threshold': 'out_of_range' }],
    ['a mark to clear above the threshold', 'queueCongested', { clearAt: 101 }, { '/clearAt': 'out_of_range' }],
    ['a hold of a year', 'queueCongested', { holdSeconds: 31_536_000 }, { '/holdSeconds': 'out_of_range' }],
    ['no yes or no', 'queueCongested', { isEnabled: 'no' }, { '/isEnabled': 'type_invalid' }],
    ['what nobody knows', 'nothing' as never, {}, 'InvalidInputError option.invalid'],
  ]
  it.each(refused)('refuse %s', async (_what, kind, change, expected) => {
    await using stage = await openStage({ tenant: 'acme' })
    expect(await refusalOf(stage.service.administration.updateAlertRule(ana, kind, change))).toEqual(expected)
  })

  it('of the operator are refused to others', async () => {
    await using stage = await openStage({ tenant: 'acme' })
    const { administration } = stage.service
    const forbidden = 'ForbiddenError alert.not_watched'
    expect(await refusalOf(administration.updateAlertRule(stranger, 'auditFull', {}))).toBe(forbidden)
    expect(await refusalOf(administration.updateAlertRule(stranger, 'queueCongested', { scope: 'global' }))).toBe(
      forbidden,
    )
    expect(await refusalOf(administration.updateAlertRule(ana, 'auditFull', {}))).toBe('accepted')
  })
})

it('alerts are listed page by page', async () => {
  await using stage = await openStage({ tenant: 'acme' })
  const { jobs, overview } = stage.service
  const made: string[] = []
  for (let n = 0; n < 3; n += 1) {
    const { id } = await jobs.create(ana, fields({ jobType: 'Falhar' }))
    await stage.test.advance('1s')
    await jobs.execute(ana, id, {})
    await stage.test.settle()
    made.unshift(id)
  }
  const first = await overview.alerts(ana, { limit: 2 })
  const second = await overview.alerts(ana, { limit: 2, cursor: first.nextCursor ?? '' })
  expect([...first.items, ...second.items].map(({ jobId }) => jobId)).toEqual(made)
  expect(second.nextCursor).toBeNull()
  expect((await overview.alerts(stranger, { limit: 2 })).items).toEqual([])
})
