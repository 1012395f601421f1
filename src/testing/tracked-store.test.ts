import { describe, expect, it } from 'vitest'
import { silentLogger } from '../logger.ts'
import { memory } from '../store/memory/memory.ts'
import type { StoreSource } from '../store/store.ts'
import { ManualEnv } from './manual-env.ts'
import { Tracker } from './tracked-store.ts'

const env = new ManualEnv({ startAt: 0, seed: 1, isBusy: () => false })
const open = (source: StoreSource) => source.open({ env, logger: silentLogger })

describe('a store that is watched', () => {
  it('is busy from a question to its answer', async () => {
    const tracker = new Tracker()
    const opening = open(tracker.watch(memory()))
    expect(tracker.isBusy).toBe(true)
    const store = await opening
    expect(tracker.isBusy).toBe(false)
    const answers = [store.pulse(), store.jobs.list({ limit: 1 })]
    expect(tracker.isBusy).toBe(true)
    await answers[0]
    await Promise.all(answers)
    expect(tracker.isBusy).toBe(false)
  })

  it('is not busy after a question that failed', async () => {
    const tracker = new Tracker()
    const broken: StoreSource = { kind: 'broken', open: () => Promise.reject(new Error('no')) }
    await expect(open(tracker.watch(broken))).rejects.toThrow('no')
    expect(tracker.isBusy).toBe(false)
  })

  it.each([
    ['postgres', true],
    ['pglite', false],
    ['memory', false],
  ])('asks a server if the store is of kind %s: %s', async (kind, isServerAsked) => {
    const tracker = new Tracker()
    const opened = open(tracker.watch({ kind, open: (surroundings) => memory().open(surroundings) }))
    expect(tracker.activity.isServerAsked?.()).toBe(isServerAsked)
    await (await opened).close()
    expect(tracker.activity.isServerAsked?.()).toBe(false)
  })

  it('answers as the store does, and is of its kind', async () => {
    const tracker = new Tracker()
    const source = tracker.watch(memory())
    expect(source.kind).toBe('memory')
    const store = await open(source)
    expect(await store.pulse()).toMatchObject({ now: 0, nextFireAt: null, nextDueAt: null, hasReady: false })
    expect(await store.nodes.list()).toEqual([])
    await store.close()
  })

  it('is not busy because somebody listens or keeps a lease', async () => {
    const tracker = new Tracker()
    const store = await open(tracker.watch(memory()))
    const hints: string[] = []
    const stop = store.listen((hint) => hints.push(hint))
    const keeper = store.nodes.keepAlive({ nodeId: 'x', leaseMs: 10, intervalMs: 5, onLost: () => {} })
    expect(tracker.isBusy).toBe(false)
    stop()
    await keeper.stop()
  })
})
