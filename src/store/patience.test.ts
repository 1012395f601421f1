import { describe, expect, it } from 'vitest'
import { ManualEnv } from '../../test/suites/conformance/manual-env.ts'
import { Patience } from './patience.ts'
import type { EngineStore } from './store.ts'
import { REFUSED, StoreUnavailableError } from './unavailable.ts'

const failing = (code: string) => new StoreUnavailableError(code, 'No.')

/** How often a verb was sent, and how it failed, within a minute. */
async function triesOf(noun: string, verb: string, error: Error, { ms = 15_000 } = {}) {
  const env = new ManualEnv(0)
  let tries = 0
  const fail = () => {
    tries += 1
    return Promise.reject(error)
  }
  const store = new Patience(env, ms).over({ [noun]: { [verb]: fail } } as never)
  let failure: unknown
  const call = (Reflect.get(store, noun) as Record<string, () => Promise<unknown>>)[verb]!()
  call.catch((reason: unknown) => (failure = reason))
  for (let passed = 0; passed < 60_000 && failure === undefined; passed += 50) {
    env.advance(50)
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }
  return { isRepeated: tries > 1, failure, endedAt: env.now() }
}

describe('a verb that fails is sent again', () => {
  it.each([
    ['a read whose answer was lost', 'executions', 'find', failing('store.connection_lost'), true],
    ['an enqueue whose answer was lost', 'executions', 'enqueue', failing('store.deadline'), true],
    ['a change that was not applied', 'jobs', 'put', failing('store.unreachable'), true],
    ['a change on a standby', 'jobs', 'put', failing('store.read_only'), true],
    ['not a change that may have been applied', 'jobs', 'put', failing('store.connection_lost'), false],
    ['not a purge that may have been applied', 'executions', 'purge', failing('store.connection_lost'), false],
    ['not a signal that may have been sent', 'histories', 'signal', failing('store.deadline'), false],
    ['not a request that may be recorded', 'requests', 'begin', failing('store.deadline'), false],
    ['a request that is not recorded', 'requests', 'begin', failing('store.unreachable'), true],
    ['not after a wrong password', 'executions', 'find', failing(REFUSED), false],
    ['not after another error', 'executions', 'find', new Error('No.'), false],
  ])('%s', async (_what, noun, verb, error, isRepeated) => {
    expect(await triesOf(noun, verb, error)).toMatchObject({ isRepeated, failure: error })
  })
})

describe('patience', () => {
  it('ends with the last error when its time is over', async () => {
    const { endedAt } = await triesOf('executions', 'find', failing('store.unreachable'))
    expect(endedAt).toBeGreaterThanOrEqual(15_000)
    expect(endedAt).toBeLessThan(15_100)
  })

  it('of nothing sends once', async () => {
    expect(await triesOf('executions', 'find', failing('store.unreachable'), { ms: 0 })).toMatchObject({
      isRepeated: false,
    })
  })

  it('holds for the store of a tenant as well, and not for what is no request', async () => {
    const env = new ManualEnv(0)
    let tries = 0
    const find = () => (++tries < 3 ? Promise.reject(failing('store.unreachable')) : Promise.resolve('found'))
    const own = { executions: { find } }
    const whole = { forTenant: () => own, connections: () => null } as unknown as EngineStore
    const patient = new Patience(env, 1_000).over(whole)
    expect(patient.connections()).toBeNull()
    const store = patient.forTenant('acme')
    const found = store.executions.find([])
    for (let turn = 0; turn < 20; turn += 1) {
      env.advance(50)
      await Promise.resolve()
    }
    expect(await found).toBe('found')
  })

  it('is over when the application stops', async () => {
    const env = new ManualEnv(0)
    const patience = new Patience(env, 15_000)
    const call = patience.keep(() => Promise.reject(failing('store.unreachable')))
    const failure = expect(call).rejects.toMatchObject({ code: 'store.unreachable' })
    await Promise.resolve()
    patience.end()
    await failure
    expect(env.now()).toBe(0)
  })
})
