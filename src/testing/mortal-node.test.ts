import { describe, expect, it } from 'vitest'
import { eventLoopTurn } from '../clock.ts'
import { silentLogger } from '../logger.ts'
import { memory } from '../store/memory/memory.ts'
import type { EngineStore } from '../store/store.ts'
import { ManualEnv } from './manual-env.ts'
import { type Ask, type Fate, MortalNode } from './mortal-node.ts'

const NODE = { id: 'n', name: 'n', slots: 1, queues: [], jobTypes: [], leaseMs: 1_000 }

async function nodeOn(fate: Partial<Fate>) {
  const env = new ManualEnv({ startAt: 0, seed: 1, isBusy: () => false })
  const source = memory()
  const deaths: string[] = []
  const mortal = new MortalNode({
    beforeAsk: () => false,
    beforeAnswer: () => false,
    onDeath: () => deaths.push('dead'),
    ...fate,
  })
  const own = mortal.env(env)
  const store = await mortal.source(source).open({ env: own, logger: silentLogger })
  const outside = await source.open({ env, logger: silentLogger })
  return { env, own, store, outside, mortal, deaths }
}

/** Whether something has come of it within a few turns. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let isOver = false
  const note = () => {
    isOver = true
  }
  promise.then(note, note)
  for (let turn = 0; turn < 5; turn += 1) await eventLoopTurn()
  return isOver
}

const names = async (store: EngineStore) => (await store.nodes.list()).map(({ id }) => id)
const isRegister = ({ verb }: Ask) => verb === 'nodes.register'

describe('a node that can be killed', () => {
  it('is served as any other while it lives', async () => {
    const { store, outside, mortal, deaths } = await nodeOn({})
    expect(await store.nodes.register(NODE)).toEqual({ now: 0, availableConnections: null })
    expect(await names(outside)).toEqual(['n'])
    expect([mortal.id, mortal.isDead, deaths]).toEqual(['n', false, []])
    await expect(store.jobs.list({ limit: 1 })).resolves.toEqual([])
  })

  it('dies before the store hears of it', async () => {
    const { store, outside, mortal, deaths } = await nodeOn({ beforeAsk: isRegister })
    expect(await isSettled(store.nodes.register(NODE))).toBe(false)
    expect(await names(outside)).toEqual([])
    expect([mortal.isDead, deaths]).toEqual([true, ['dead']])
    await mortal.death
  })

  it('dies after the store has done it, before it hears the answer', async () => {
    const { store, outside, mortal, deaths } = await nodeOn({ beforeAnswer: isRegister })
    expect(await isSettled(store.nodes.register(NODE))).toBe(false)
    expect(await names(outside)).toEqual(['n'])
    expect([mortal.id, mortal.isDead, deaths]).toEqual(['n', true, ['dead']])
  })

  it('asks, hears and does nothing more once it is dead', async () => {
    const { env, own, store, outside } = await nodeOn({ beforeAnswer: isRegister })
    const calls: string[] = []
    store.listen((hint) => calls.push(hint))
    own.after(10, () => calls.push('after'))
    own.every(10, () => calls.push('every'))
    own.nextTurn(() => calls.push('turn'))
    const asked = store.nodes.list()
    expect(await isSettled(store.nodes.register(NODE))).toBe(false)
    own.after(10, () => calls.push('after'))
    own.every(10, () => calls.push('every'))
    own.nextTurn(() => calls.push('turn'))
    await env.moveTo(100)
    await outside.executions.enqueue([])
    // What happened in the turn before its death had happened.
    expect(calls.filter((call) => call !== 'turn')).toEqual([])
    expect(await isSettled(store.pulse())).toBe(false)
    expect(await isSettled(asked)).toBe(true)
  })

  it('is told what the store did of all it asked, also after its death', async () => {
    const heard: string[] = []
    const { store } = await nodeOn({
      beforeAsk: ({ verb }) => verb === 'pulse',
      beforeAnswer: ({ verb }) => {
        heard.push(verb)
        return false
      },
    })
    const listing = store.nodes.list()
    expect(await isSettled(store.pulse())).toBe(false)
    expect(await isSettled(listing)).toBe(false)
    expect(heard).toEqual(['nodes.list'])
  })

  it('renews its lease no more, and can be buried', async () => {
    const { env, store, mortal, outside } = await nodeOn({ beforeAsk: ({ verb }) => verb === 'pulse' })
    await store.nodes.register(NODE)
    store.nodes.keepAlive({ nodeId: 'n', leaseMs: 1_000, intervalMs: 100, onLost: () => {} })
    await env.moveTo(900)
    expect(await isSettled(store.pulse())).toBe(false)
    await env.moveTo(5_000)
    expect(await outside.nodes.list()).toMatchObject([{ id: 'n', isAlive: false }])
    await mortal.bury()
  })
})
