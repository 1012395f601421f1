import { type EvaluationContext, InMemoryProvider, OpenFeature } from '@openfeature/server-sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RecordedLog } from '../../../test/suites/scenarios/recorded.ts'
import { FLAGS, type Flag } from '../../access/flag.ts'
import type { FlagStore } from '../../store/flags.ts'
import { memory } from '../../store/memory/memory.ts'
import type { EngineStore } from '../../store/store.ts'
import { ManualEnv } from '../../testing/manual-env.ts'
import type { FlagClient } from './flag-options.ts'
import { FollowFlags } from './follow-flags.ts'

const EVERY_MS = 5_000
/** The SDK keeps one client and provider for each domain. */
let domain = 0

/** A flag that is off for some tenants. */
const offFor = (...tenants: readonly string[]) => ({
  variants: { on: true, off: false },
  defaultVariant: 'on' as const,
  disabled: false,
  contextEvaluator: ({ targetingKey }: EvaluationContext) => (tenants.includes(targetingKey ?? '') ? 'off' : 'on'),
})

describe('who follows a provider of flags', () => {
  let env: ManualEnv
  let store: EngineStore
  let log: RecordedLog
  let following: FollowFlags | null
  beforeEach(async () => {
    env = new ManualEnv({ startAt: 0, seed: 1, isBusy: () => false })
    log = new RecordedLog()
    store = await memory().open({ env, logger: log.logger })
    following = null
    await store.tenants.limit(['acme', 'globex'].map((tenant) => ({ tenant, concurrency: null })))
  })
  afterEach(async () => {
    await following?.stop()
    await store.close()
    await OpenFeature.clearProviders()
  })

  async function clientOf(provider: InMemoryProvider): Promise<FlagClient> {
    const name = `test-${++domain}`
    await OpenFeature.setProviderAndWait(name, provider)
    return OpenFeature.getClient(name)
  }

  async function follow(client: FlagClient): Promise<void> {
    following = new FollowFlags({ env, logger: log.logger, store, client, everyMs: EVERY_MS })
    following.start()
    await env.settle()
  }

  /** Time for so many rounds. */
  async function pass(rounds = 1): Promise<void> {
    for (let round = 0; round < rounds; round++) await env.moveTo(env.now() + EVERY_MS)
  }

  const isOn = async (tenant: string, flag: Flag) => (await store.flags.read(tenant))[flag]

  it('keeps what it answers for each tenant, and asks again', async () => {
    const provider = new InMemoryProvider({ JOBS_SCHEDULING: offFor('acme') })
    await follow(await clientOf(provider))
    expect(await isOn('acme', 'JOBS_SCHEDULING')).toEqual({ isEnabled: false, source: 'provider' })
    expect(await isOn('globex', 'JOBS_SCHEDULING')).toEqual({ isEnabled: true, source: 'provider' })
    provider.putConfiguration({ JOBS_SCHEDULING: offFor('globex') })
    await pass()
    expect(await isOn('acme', 'JOBS_SCHEDULING')).toEqual({ isEnabled: true, source: 'provider' })
    expect(await isOn('globex', 'JOBS_SCHEDULING')).toEqual({ isEnabled: false, source: 'provider' })
  })

  it('leaves a flag that it does not know to what is stored', async () => {
    await store.flags.put({ tenant: 'acme', flags: [{ flag: 'JOB_NOTIFICATIONS', isEnabled: false }] })
    const provider = new InMemoryProvider({ JOB_NOTIFICATIONS: offFor() })
    await follow(await clientOf(provider))
    expect(await isOn('acme', 'JOB_NOTIFICATIONS')).toEqual({ isEnabled: true, source: 'provider' })
    expect(await isOn('acme', 'HANGFIRE_DASHBOARD')).toEqual({ isEnabled: true, source: 'default' })
    provider.putConfiguration({})
    await pass()
    expect(await isOn('acme', 'JOB_NOTIFICATIONS')).toEqual({ isEnabled: false, source: 'stored' })
    expect(log.lines).toEqual([])
  })

  it('forgets what a provider before it said', async () => {
    await store.flags.provide([{ tenant: 'acme', flag: 'JOBS_SCHEDULING', isEnabled: false }])
    await follow(await clientOf(new InMemoryProvider({})))
    expect(await isOn('acme', 'JOBS_SCHEDULING')).toEqual({ isEnabled: true, source: 'default' })
  })

  it('asks about a tenant that comes later', async () => {
    await follow(await clientOf(new InMemoryProvider({ JOBS_SCHEDULING: offFor('late') })))
    await store.tenants.limit([{ tenant: 'late', concurrency: 1 }])
    await pass()
    expect(await isOn('late', 'JOBS_SCHEDULING')).toEqual({ isEnabled: false, source: 'provider' })
  })

  it('asks about all of many tenants', async () => {
    const tenants = Array.from({ length: 450 }, (_, index) => `tenant-${index}`)
    await store.tenants.limit(tenants.map((tenant) => ({ tenant, concurrency: null })))
    await follow(await clientOf(new InMemoryProvider({ JOB_RETRY_POLICY: offFor('tenant-0', 'tenant-449') })))
    expect((await store.pulse()).withoutRetries.names).toEqual(['tenant-0', 'tenant-449'])
  })

  const failing: [string, (provider: InMemoryProvider) => void][] = [
    [
      'throws',
      (provider) => {
        provider.resolveBooleanEvaluation = () => Promise.reject(new Error('away'))
      },
    ],
    [
      'never answers',
      (provider) => {
        provider.resolveBooleanEvaluation = () => new Promise(() => {})
      },
    ],
  ]
  it.each(failing)('keeps the last answers of one that %s, says so once, and when it is back', async (_how, fail) => {
    const provider = new InMemoryProvider({ JOBS_SCHEDULING: offFor('acme') })
    const answer = provider.resolveBooleanEvaluation.bind(provider)
    await follow(await clientOf(provider))
    fail(provider)
    await pass(6)
    expect(await isOn('acme', 'JOBS_SCHEDULING')).toEqual({ isEnabled: false, source: 'provider' })
    expect(log.at('warn')).toEqual(['The provider of flags does not answer; its last answers hold'])
    provider.putConfiguration({ JOBS_SCHEDULING: offFor() })
    provider.resolveBooleanEvaluation = answer
    await pass(3)
    expect(await isOn('acme', 'JOBS_SCHEDULING')).toEqual({ isEnabled: true, source: 'provider' })
    expect(log.at('info')).toEqual(['The provider of flags answers again'])
  })

  it('asks who has nothing but getBooleanValue, and gives its last answer as the default', async () => {
    const asked: [string, boolean, string][] = []
    let isAway = false
    await follow({
      getBooleanValue: (flag, isOnByDefault, { targetingKey }) => {
        asked.push([flag, isOnByDefault, targetingKey])
        return Promise.resolve(isAway ? isOnByDefault : targetingKey !== 'acme')
      },
    })
    isAway = true
    await pass()
    expect(await isOn('acme', 'JOB_RETRY_POLICY')).toEqual({ isEnabled: false, source: 'provider' })
    expect(asked).toHaveLength(2 * 2 * FLAGS.length)
    expect(asked.at(FLAGS.length * 2)).toEqual(['JOBS_SCHEDULING', false, 'acme'])
  })

  it('tells the store only what has changed', async () => {
    const provided: number[] = []
    const { flags } = store
    const counted: FlagStore = {
      ...flags,
      provide: (answers) => {
        provided.push(answers.length)
        return flags.provide(answers)
      },
    }
    store = { ...store, flags: counted }
    const provider = new InMemoryProvider({ JOBS_SCHEDULING: offFor('acme') })
    await follow(await clientOf(provider))
    await pass(3)
    provider.putConfiguration({ JOBS_SCHEDULING: offFor() })
    await pass(2)
    expect(provided).toEqual([2 * FLAGS.length, 1])
  })
})
