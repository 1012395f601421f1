import { describe, expect, it } from 'vitest'
import { refusal } from '../../../test/harness/instants.ts'
import { type EngineOptions, engineSettings } from './settings.ts'

describe('the settings of an engine', () => {
  it('are by default those of the contract', () => {
    expect(engineSettings({}, [])).toEqual({
      nodeName: expect.stringMatching(new RegExp(`-${process.pid}$`)) as string,
      slots: 10,
      queues: ['default'],
      leaseMs: 30_000,
      renewalMs: 5_000,
      staleCheckMs: 5_000,
      pollMs: 1_000,
      graceMs: 30_000,
      defaultTimeoutMs: null,
      defaultRetry: { retries: 3, intervalsMs: [60_000, 120_000, 240_000], jitter: 'none', nonRetryable: [] },
    })
  })

  it.each<[string, EngineOptions, object]>([
    [
      'seed 002’s threshold and interval',
      { staleThreshold: '5m', staleCheckInterval: '30s' },
      { leaseMs: 300_000, renewalMs: 5_000, staleCheckMs: 30_000 },
    ],
    ['a short lease, renewed three times', { staleThreshold: '3s' }, { leaseMs: 3_000, renewalMs: 1_000 }],
    ['a lease of hardly anything', { staleThreshold: 2 }, { leaseMs: 2, renewalMs: 1 }],
    ['a renewal at half of the lease', { staleThreshold: '10s', renewalInterval: '5s' }, { renewalMs: 5_000 }],
    ['no grace', { shutdownGrace: 0 }, { graceMs: 0 }],
    ['a timeout', { defaultTimeout: '30m' }, { defaultTimeoutMs: 1_800_000 }],
    ['own retries', { defaultRetry: { retries: 0 } }, { defaultRetry: { retries: 0, intervalsMs: [] } }],
    ['a name and slots', { node: { name: 'one', slots: 10_000 } }, { nodeName: 'one', slots: 10_000 }],
    ['queues', { node: { queues: ['a', 'b', 'a'] } }, { queues: ['a', 'b'] }],
    ['no queue at all', { node: { queues: [] } }, { queues: [] }],
    ['a poll', { pollInterval: '250ms' }, { pollMs: 250 }],
  ])('may be %s', (_what, options, expected) => {
    expect(engineSettings(options, [])).toMatchObject(expected)
  })

  it('have the queues of the job types, each once, and the default one', () => {
    expect(engineSettings({}, ['reports', 'default', 'reports', 'mail']).queues).toEqual(['default', 'reports', 'mail'])
    expect(engineSettings({ node: { queues: ['mine'] } }, ['reports']).queues).toEqual(['mine'])
  })

  it.each<[string, EngineOptions, string]>([
    [
      'a renewal longer than half of the lease',
      { staleThreshold: '10s', renewalInterval: 5_001 },
      'renewalInterval must be at most half of staleThreshold (10000 ms), got 5001 ms',
    ],
    ['no lease', { staleThreshold: 0 }, 'staleThreshold must be'],
    ['a lease of one millisecond', { staleThreshold: 1 }, 'renewalInterval must be at most half'],
    ['no poll', { pollInterval: 0 }, 'pollInterval must be'],
    ['no slot', { node: { slots: 0 } }, 'slots must be a whole number of 1-10000, got 0.'],
    ['too many slots', { node: { slots: 10_001 } }, 'slots must be'],
    ['a fraction of a slot', { node: { slots: 1.5 } }, 'slots must be'],
    ['an empty name', { node: { name: '' } }, 'node name must be text'],
    ['a queue that is none', { node: { queues: [''] } }, 'queue must be text'],
    ['queues that are no list', { node: { queues: 'a' as unknown as string[] } }, 'queues must be a list'],
    ['a misspelt option', { node: { slot: 1 } as object }, 'Did you mean "slots"?'],
    ['a negative grace', { shutdownGrace: -1 }, 'shutdownGrace must be'],
    ['a timeout of nothing', { defaultTimeout: 0 }, 'timeout must be longer than zero'],
    ['wrong retries', { defaultRetry: { retries: -1 } }, 'retries must be'],
  ])('are not %s', (_what, options, message) => {
    expect(refusal(() => engineSettings(options, [])).message).toContain(message)
  })
})
