import { describe, expect, it } from 'vitest'
import type { ServiceHealth } from '../../api/wire.ts'
import type { Health } from './health.ts'
import { type CheckName, checksOf, type Tone, verdictOf } from './verdict.ts'

const well: ServiceHealth = {
  status: 'healthy',
  reason: null,
  isRunning: true,
  stale: 0,
  storageLatencyMs: 1.2,
  slots: 10,
  running: 0,
  clockOffsetMs: 0,
  punctuality: { count: 0, onTime: 1, p50Ms: 0, p99Ms: 0, maxMs: 0 },
  nodes: 1,
}

describe('the checks of health', () => {
  it.each<[string, Health, CheckName[]]>([
    ['a server that is well', well, []],
    ['one whose executions were left behind', { ...well, status: 'degraded', stale: 3 }, ['abandoned']],
    ['one whose scheduler has stopped', { ...well, status: 'unhealthy', isRunning: false }, ['scheduler']],
    ['one that schedules elsewhere', { ...well, isRunning: false }, []],
    ['one without a node', { ...well, status: 'unhealthy', isRunning: false, nodes: 0 }, ['scheduler', 'workers']],
    ['one whose store is away', { ...well, status: 'unhealthy', stale: null, nodes: null }, ['storage']],
    ['one that tells nobody why', { status: 'unhealthy' }, ['server']],
    ['one that tells nobody more', { status: 'healthy' }, []],
    ['one that is not there', { status: 'unreachable' }, ['server']],
  ])('of %s', (_name, health, failing) => {
    const { failing: found } = verdictOf({ checks: checksOf(health), alerts: [], isSuspended: false })
    expect(found.map(({ name }) => name)).toEqual(failing)
  })
})

describe('the verdict', () => {
  it.each<[Tone, string, Health, ('warn' | 'error')[], boolean]>([
    ['good', 'nothing is wrong', well, [], false],
    ['warn', 'scheduling is switched off', well, [], true],
    ['warn', 'an alert warns', well, ['warn'], false],
    ['bad', 'an alert is an error', well, ['warn', 'error'], false],
    ['warn', 'executions were left behind', { ...well, status: 'degraded', stale: 1 }, [], false],
    ['bad', 'nobody is there', { status: 'unreachable' }, [], false],
  ])('is %s where %s', (tone, _why, health, levels, isSuspended) => {
    const alerts = levels.map((level) => ({ level }))
    const verdict = verdictOf({ checks: checksOf(health), alerts, isSuspended })
    expect(verdict).toMatchObject({ tone, alertCount: levels.length, isSuspended })
  })
})
