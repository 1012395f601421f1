import { describe, expect, it } from 'vitest'
import type { AlertFigures, AlertState, GlobalFigures, StoredAlertRule, TenantFigures } from '../../store/alerts.ts'
import { ALERT_FACTS } from './alert-kinds.ts'
import { evaluate, type FigureState, nextState, type Watched, WELL } from './evaluate.ts'

const NOW = 1_800_000_000_000
const MINUTE = 60_000
const GIGABYTE = 2 ** 30

const idle: TenantFigures = { tenant: 'acme', running: 0, limit: 10, queued: 0, attempts: 0, timeouts: 0 }
const calm: GlobalFigures = { running: 0, slots: 20, queued: 0, liveNodes: 2, aliveAt: NOW }

function figures(change: Partial<AlertFigures> = {}): AlertFigures {
  return { now: NOW, tenants: [idle], global: calm, rules: [], states: [], ...change }
}

const changesOf = (seen: AlertFigures, auditBytes = 0) =>
  evaluate(seen, { operator: 'ops', newId: () => 'new', auditBytes })

/** Kinds of alerts that are going to open, by scope. */
const rising = (seen: AlertFigures) => changesOf(seen).map(({ tenant, scope, kind }) => `${tenant} ${scope} ${kind}`)

it('where all is well nothing changes', () => {
  expect(changesOf(figures())).toEqual([])
})

describe('of a tenant', () => {
  const rows: [string, Partial<TenantFigures>, string[]][] = [
    ['nine of ten workers are not all', { running: 9 }, []],
    ['ten of ten workers are all', { running: 10 }, ['workersSaturated']],
    ['more than there may be are all, after a limit was lowered', { running: 12 }, ['workersSaturated']],
    ['any number is fine without a limit', { running: 1_000, limit: null }, []],
    ['a limit of none is none to reach', { running: 0, limit: 0 }, []],
    ['99 in the queue are few', { queued: 99 }, []],
    ['100 in the queue are many', { queued: 100 }, ['queueCongested']],
    ['10 % of timeouts are bearable', { attempts: 100, timeouts: 10 }, []],
    ['more than 10 % of timeouts are frequent', { attempts: 100, timeouts: 11 }, ['timeoutsFrequent']],
    ['two timeouts of nine attempts say nothing', { attempts: 9, timeouts: 9 }, []],
    ['two timeouts of ten attempts are frequent', { attempts: 10, timeouts: 2 }, ['timeoutsFrequent']],
  ]
  it.each(rows)('%s', (_fact, change, kinds) => {
    const seen = figures({ tenants: [{ ...idle, ...change }] })
    expect(rising(seen)).toEqual(kinds.map((kind) => `acme tenant ${kind}`))
  })
})

describe('of all together', () => {
  const rows: [string, Partial<GlobalFigures>, string[]][] = [
    ['a free slot is room', { running: 19 }, []],
    ['all slots of all nodes are all', { running: 20 }, ['workersSaturated']],
    ['100 in all queues are many', { queued: 100 }, ['queueCongested']],
    [
      'half a minute without a node is an outage',
      { liveNodes: 0, slots: 0, aliveAt: NOW - 30_000 },
      ['schedulerUnavailable'],
    ],
    ['less is a restart', { liveNodes: 0, slots: 0, aliveAt: NOW - 29_999 }, []],
  ]
  it.each(rows)('%s', (_fact, change, kinds) => {
    expect(rising(figures({ global: { ...calm, ...change } }))).toEqual(kinds.map((kind) => `ops global ${kind}`))
  })
})

it.each([
  ['a gigabyte of audit is much', GIGABYTE, 1],
  ['less of it is not', GIGABYTE - 1, 0],
])('%s', (_fact, bytes, count) => {
  const changes = changesOf(figures(), bytes)
  expect(changes).toMatchObject(Array(count).fill({ tenant: 'ops', scope: 'global', kind: 'auditFull' }))
})

it('a scheduler that is away opens its alert at once, since it was last seen', () => {
  const [change] = changesOf(figures({ global: { ...calm, liveNodes: 0, slots: 0, aliveAt: NOW - 45_000 } }))
  expect(change?.opens).toMatchObject({
    id: 'new',
    tenant: 'ops',
    value: 45,
    threshold: 30,
    since: NOW - 45_000,
    openedAt: NOW,
  })
  expect(change?.after).toMatchObject({ alertId: 'new' })
})

const congested = { tenant: 'acme', scope: 'tenant', kind: 'queueCongested' } as const
const state = (change: Partial<AlertState>): AlertState => ({
  ...congested,
  alertId: null,
  highSince: NOW - MINUTE,
  lowSince: null,
  ...change,
})
const queue = (queued: number) => [{ ...idle, queued }]

describe('an alert', () => {
  it('opens once its figure has been too high for a minute', () => {
    const before = state({})
    const opens = { ...congested, id: 'new', value: 150, threshold: 100, since: NOW - MINUTE, openedAt: NOW }
    expect(changesOf(figures({ tenants: queue(150), states: [before] }))).toMatchObject([
      { before, after: { ...before, alertId: 'new' }, opens },
    ])
  })

  const clearing = state({ alertId: 'open', lowSince: NOW - 5 * MINUTE })

  it('closes once its figure has been low for five minutes', () => {
    expect(changesOf(figures({ tenants: queue(79), states: [clearing] }))).toEqual([
      { ...congested, before: clearing, after: null, closes: { id: 'open', at: NOW, outcome: 'cleared' } },
    ])
  })

  it('closes too where nothing of its tenant is measured any more', () => {
    expect(changesOf(figures({ tenants: [], states: [clearing] }))).toMatchObject([{ closes: { id: 'open' } }])
  })

  it('stays while nothing changes', () => {
    expect(changesOf(figures({ tenants: queue(90), states: [state({ alertId: 'open' })] }))).toEqual([])
  })

  it('of another operator is left to him', () => {
    const theirs = { ...clearing, tenant: 'others', scope: 'global' } as const
    expect(changesOf(figures({ states: [theirs] }))).toEqual([])
  })
})

describe('a rule', () => {
  const rule = (change: Partial<StoredAlertRule>): StoredAlertRule => ({
    ...congested,
    ...ALERT_FACTS.queueCongested.rule,
    ...change,
  })
  const open = state({ alertId: 'open' })
  const rows: [string, Partial<StoredAlertRule>, Partial<AlertFigures>, object[]][] = [
    ['raises a threshold', { threshold: 500 }, { tenants: queue(499) }, []],
    ['lowers a threshold', { threshold: 5 }, { tenants: queue(5) }, [{ after: { highSince: NOW } }]],
    ['lets it open at once', { holdSeconds: 0 }, { tenants: queue(100) }, [{ opens: { id: 'new' } }]],
    ['lets it close at once', { clearSeconds: 0 }, { states: [open] }, [{ closes: { outcome: 'cleared' } }]],
    ['says where it closes', { clearAt: 10 }, { tenants: queue(10), states: [open] }, []],
    ['switches it off', { isEnabled: false }, { tenants: queue(900) }, []],
    [
      'closes what it switches off',
      { isEnabled: false },
      { tenants: queue(900), states: [open] },
      [{ closes: { outcome: 'disabled' } }],
    ],
    ['of another tenant changes nothing', { tenant: 'other', threshold: 5 }, { tenants: queue(5) }, []],
    ['about all tenants changes nothing for one', { scope: 'global', threshold: 5 }, { tenants: queue(5) }, []],
  ]
  it.each(rows)('%s', (_fact, change, seen, expected) => {
    expect(changesOf(figures({ ...seen, rules: [rule(change)] }))).toMatchObject(expected)
  })

  it('sets how many workers are all in place of how many there may be', () => {
    const five = { ...rule({ threshold: 5, holdSeconds: 0 }), kind: 'workersSaturated' } as const
    const changes = changesOf(figures({ tenants: [{ ...idle, running: 5 }], rules: [five] }))
    expect(changes).toMatchObject([{ opens: { value: 5, threshold: 5 } }])
  })
})

const STATE_NOW = 1_000_000

const STATE_MINUTE = 60_000

const watched: Watched = {
  value: 0,
  threshold: 100,
  isExclusive: false,
  clearAt: 80,
  holdMs: STATE_MINUTE,
  clearMs: 5 * STATE_MINUTE,
  isEnabled: true,
}

const risingState = (since: number): FigureState => ({ isOpen: false, highSince: since, lowSince: null })

const open = (lowSince: number | null = null): FigureState => ({ isOpen: true, highSince: 0, lowSince })

describe('a figure', () => {
  const rows: [string, Partial<Watched>, FigureState, FigureState][] = [
    ['that is low is well', { value: 99 }, WELL, WELL],
    ['at its threshold begins to count', { value: 100 }, WELL, risingState(STATE_NOW)],
    ['that must pass its threshold is well at it', { value: 100, isExclusive: true }, WELL, WELL],
    [
      'that must pass its threshold counts beyond it',
      { value: 100.1, isExclusive: true },
      WELL,
      risingState(STATE_NOW),
    ],
    [
      'that is high not long enough waits',
      { value: 100 },
      risingState(STATE_NOW - STATE_MINUTE + 1),
      risingState(STATE_NOW - STATE_MINUTE + 1),
    ],
    [
      'that is high for long enough opens',
      { value: 100 },
      risingState(STATE_NOW - STATE_MINUTE),
      { isOpen: true, highSince: STATE_NOW - STATE_MINUTE, lowSince: null },
    ],
    ['that falls before it opens begins anew', { value: 99 }, risingState(STATE_NOW - STATE_MINUTE + 1), WELL],
    ['without a hold opens at once', { value: 100, holdMs: 0 }, WELL, { ...risingState(STATE_NOW), isOpen: true }],
    ['that stays high stays open', { value: 500 }, open(), open()],
    ['between the two marks stays open', { value: 99 }, open(), open()],
    ['at the mark to clear stays open', { value: 80 }, open(), open()],
    ['below the mark to clear begins to clear', { value: 79 }, open(), open(STATE_NOW)],
    [
      'that is low not long enough stays open',
      { value: 0 },
      open(STATE_NOW - 5 * STATE_MINUTE + 1),
      open(STATE_NOW - 5 * STATE_MINUTE + 1),
    ],
    ['that is low for long enough closes', { value: 0 }, open(STATE_NOW - 5 * STATE_MINUTE), WELL],
    ['that rises while it clears begins to clear anew', { value: 80 }, open(STATE_NOW - STATE_MINUTE), open()],
    ['without a time to clear closes at once', { value: 79, clearMs: 0 }, open(), WELL],
    ['that nobody wants watched is well', { value: 500, isEnabled: false }, WELL, WELL],
    ['that nobody wants watched any more closes', { value: 500, isEnabled: false }, open(), WELL],
  ]
  it.each(rows)('%s', (_fact, change, before, after) => {
    expect(nextState({ ...watched, ...change }, before, STATE_NOW)).toEqual(after)
  })

  it('that flaps around its threshold every quarter of a minute opens no alert', () => {
    let state = WELL
    for (let turn = 0; turn < 100; turn += 1) {
      state = nextState({ ...watched, value: turn % 2 === 0 ? 120 : 99 }, state, turn * 15_000)
      expect(state.isOpen).toBe(false)
    }
  })

  it('that flaps while its alert is open closes it no earlier than it rests', () => {
    let state = open()
    for (let turn = 0; turn < 100; turn += 1) {
      state = nextState({ ...watched, value: turn % 2 === 0 ? 120 : 0 }, state, turn * 15_000)
      expect(state.isOpen).toBe(true)
    }
  })
})
