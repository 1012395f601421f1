import { isAmong, type TenantSet } from '../../store/flags.ts'
import type { Declared } from '../../store/nodes.ts'
import { Patience } from '../../store/patience.ts'
import type { EngineStore } from '../../store/store.ts'
import { DurableExecutions } from '../durable/durable-executions.ts'
import { Resumption } from '../durable/resumption.ts'
import { Runs } from '../durable/runs.ts'
import { recordMissed } from '../firing/missed-occurrences.ts'
import { Scheduler } from '../firing/scheduler.ts'
import { resumeFaulted } from '../lifecycle/change-status.ts'
import { LeaseCheck } from '../node/lease-check.ts'
import type { Service } from '../node/loop.ts'
import { Maintenance, UnservedCheck } from '../node/maintenance.ts'
import { MinuteMarks } from '../node/minute-marks.ts'
import { Node } from '../node/node.ts'
import { Poller, Promoter } from '../node/poller.ts'
import { Recovery } from '../node/recovery.ts'
import type { StoreTime } from '../node/store-time.ts'
import { Chains } from '../running/chains.ts'
import { Claimer } from '../running/claimer.ts'
import { InFlight } from '../running/in-flight.ts'
import { emitFaulted } from '../running/outcome.ts'
import { Punctuality } from '../running/punctuality.ts'
import { ResultCache } from '../running/result-cache.ts'
import { Settlement } from '../running/settlement.ts'
import { Slots } from '../running/slots.ts'
import { Isolates } from '../sandbox/isolates.ts'
import { Enqueuer } from './enqueuer.ts'
import { Executions } from './executions.ts'
import { Jobs, sharedJobs } from './jobs.ts'
import { KnownTypes } from './known-types.ts'
import type { AppOptions } from './options.ts'
import { Pauses } from './pauses.ts'
import { type DeclaredJob, declaredJobs } from './reconcile.ts'

export type Parts = ReturnType<typeof compose>

/**
 * The composition root: creates every part of an application on an open store, each after the parts that it is given, and connects
 * their notifications. Nothing runs yet: `App` starts and stops `loops` in their order.
 */
export function compose(options: AppOptions, store: EngineStore, time: StoreTime, firstWithoutRetries: TenantSet) {
  const { env, logger, telemetry, types, settings } = options
  const { leaseMs, renewalMs, queues, defaultRetry, defaultTimeoutMs } = settings
  const shared = { env, logger, store, time, telemetry }
  const deps = { ...shared, types }

  // Results of attempts
  const settlement = new Settlement(shared)
  const chains = new Chains({ store, time, settlement, types, defaultRetry })
  const cache = new ResultCache({ store, logger, settlement })
  const punctuality = new Punctuality()
  const emissions = new InFlight()
  let withoutRetries = firstWithoutRetries
  const attempts = {
    ...shared,
    settlement,
    chains,
    cache,
    defaultTimeoutMs,
    defaultRetry,
    hasRetries: (tenant: string) => !isAmong(tenant, withoutRetries),
    onRetry: (dueAt: number) => poller.expectDelayed(dueAt),
    onFailedForGood: (executionId: string, jobId: string, error: string) => {
      const emission = emitFaulted(store, telemetry, { executionId, jobId, error })
      void emissions.track(emission.catch((cause: unknown) => logFaultUnknown(jobId, cause)))
    },
    heal: (jobId: string) => resumeFaulted(shared, jobId),
    beforeHealing: (jobId: string) => recordMissed(shared, jobId),
  }
  const logFaultUnknown = (jobId: string, error: unknown) =>
    logger.error('Whether a job is faulted could not be told', { jobId, error })

  // The node and its capacity
  const declared = declaredJobs([...types.values()])
  const node = new Node({
    ...shared,
    name: settings.nodeName,
    slots: settings.slots,
    queues,
    jobTypes: [...types.keys()],
    declares: announcementOf(options, declared),
    leaseMs,
    renewalMs,
    onLost: () => slots.abortAll('gone'),
    onRegistered: () => claimer.wake(),
  })
  const slots = new Slots({ env, count: settings.slots, node, logger, onFree: () => claimer.wakeForSlot() })
  const isolates = new Isolates({ env, logger })
  const minuteMarks = new MinuteMarks({ ...shared, leaseMs, isListed: () => node.id !== null })

  // Firing, claiming and running
  const refill = () => {
    poller.refresh()
    claimer.wake()
  }
  const scheduler = new Scheduler({
    ...deps,
    onFired: refill,
    onCancelled: () => leaseCheck.wakeIfRunning(),
  })
  const promoter = new Promoter({ ...shared, onPromoted: refill })
  const runs = new Runs({
    ...attempts,
    types,
    // A node renews its lease before half of it is over, so that much is always left.
    sureForMs: leaseMs / 2,
    onMade: (dueAt) => wakeFor(dueAt),
    onChanged: () => leaseCheck.wakeIfRunning(),
  })
  const claimer = new Claimer({
    deps: attempts,
    runs,
    node,
    slots,
    punctuality,
    types,
    queues,
    isolates,
    activity: minuteMarks,
    allFired: () => scheduler.caughtUp(),
  })

  // Checks and wake-ups
  const leaseCheck = new LeaseCheck({
    ...shared,
    node,
    slots,
    intervalMs: renewalMs,
    onReleased: () => claimer.wake(),
  })
  const recovery = new Recovery({
    ...shared,
    chains,
    checkMs: settings.staleCheckMs,
    renewalMs,
    onRecovered: () => claimer.wake(),
  })
  const poller = new Poller({
    ...shared,
    pollMs: settings.pollMs,
    onFireDue: () => scheduler.wake(),
    onDelayDue: () => promoter.wake(),
    onReady: () => claimer.wake(),
    onReadyByPoll: () => claimer.wakeByPoll(),
    onCancelled: () => leaseCheck.wakeIfRunning(),
    onFailed: () => minuteMarks.interrupt(),
    onWithoutRetries: (tenants) => {
      withoutRetries = tenants
    },
  })
  const wakeFor = (dueAt: number | null) => (dueAt === null ? claimer.wake() : poller.expectDelayed(dueAt))
  const loops: readonly Service[] = [
    poller,
    scheduler,
    promoter,
    recovery,
    claimer,
    new Resumption({ ...deps, onResumed: () => claimer.wake() }),
    new Maintenance(shared),
    minuteMarks,
    new UnservedCheck(shared),
  ]

  // Calls of the application: their store waits while the database is unavailable
  const patience = new Patience(env, options.patienceMs)
  const calls = patience.over(store)
  const pauses = new Pauses(env)
  const knownTypes = new KnownTypes({ env, logger, nodes: store.nodes, types, rule: options.unknownTypeRule })
  const onChanged = () => {
    poller.refresh()
    leaseCheck.wakeIfRunning()
  }
  const ofCalls = { ...deps, store: calls, knownTypes, pauses, onChanged }
  const jobs = new Jobs({
    ...ofCalls,
    store: patience.over({ ...store, jobs: sharedJobs(store.jobs) }),
    application: options.application,
    defaultTenant: options.tenant,
    defaults: options.scheduleDefaults,
  })
  const executions = new Executions(ofCalls)
  const durable = new DurableExecutions(ofCalls)
  const enqueuer = new Enqueuer({
    ...deps,
    defaultTenant: options.tenant,
    defaultRetry,
    patience,
    knownTypes,
    onEnqueued: wakeFor,
  })

  return {
    options,
    store,
    deps,
    declared,
    settlement,
    chains,
    punctuality,
    emissions,
    node,
    slots,
    isolates,
    runs,
    claimer,
    leaseCheck,
    loops,
    patience,
    calls,
    pauses,
    knownTypes,
    onChanged,
    jobs,
    executions,
    durable,
    enqueuer,
  }
}

/** The part of its code that a node announces to others. */
function announcementOf({ types, settings, tenant }: AppOptions, declared: readonly DeclaredJob[]): Declared {
  const all = [...types.values()]
  return {
    tenant,
    jobs: declared.map(({ name }) => name),
    enqueueable: all
      .filter(({ isEnqueueable }) => isEnqueueable)
      .map(({ id, queue, priority, isDurable, retry }) => {
        return { id, queue, priority, isDurable, retry: retry ?? settings.defaultRetry }
      }),
    signals: Object.fromEntries(all.flatMap(({ id, signals }) => (signals ? [[id, Object.keys(signals)]] : []))),
  }
}
