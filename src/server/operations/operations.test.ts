import { afterEach, describe, expect, it } from 'vitest'
import { HOSTS } from '../../../test/http/mount/hosts.ts'
import { readPrometheus } from '../../../test/http/service/prometheus-parser.ts'
import { permissionsOf } from '../../access/profile.ts'
import { job } from '../../job/type/job-type.ts'
import { type TestOptions, testPontual } from '../../testing/test-pontual.ts'
import { cron } from '../../time/triggers/cron.ts'
import { createApi } from '../create-api.ts'
import { serve } from '../mount/serve.ts'
import type { MetricsOptions } from './metrics-options.ts'

const TOKEN = 'a token that nobody guesses'
const types = [
  job('import', { schedule: { trigger: cron('* * * * *') }, run: () => 'done' }),
  job('fail "\\', {
    retry: { retries: 0 },
    run: () => {
      throw new Error('no such file')
    },
  }),
]

interface Asked {
  /** Somebody with these permissions. */
  readonly as?: 'Admin' | 'nobody may' | 'refused'
  readonly token?: string
  readonly method?: string
}

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** A service over HTTP, as whoever operates it sees it. */
async function open(metrics: MetricsOptions = {}, options: Partial<TestOptions> = {}) {
  const t = await testPontual({ jobs: types, tenant: 'acme', ...options })
  const identity = {
    async authenticate(request: Request) {
      const who = request.headers.get('x-as')
      if (who === null) return null
      if (who === 'refused') throw new Error('The store is away.')
      const permissions = who === 'Admin' ? permissionsOf('Admin') : new Set<never>()
      return { tenant: 'acme', userId: 'ana', profile: 'Admin' as const, permissions: [...permissions] }
    },
  }
  const api = await createApi(t.app, { identity, metrics, service: { duties: false } })
  const served = await serve(api, { port: 0 })
  const apart = await serve(api.operations, { port: 0 })
  stops.push(
    () => t.stop(),
    () => served.close(),
    () => apart.close(),
  )
  const asker =
    (url: string) =>
    async (path: string, { as, token, method = 'GET' }: Asked = {}) => {
      const headers = { ...(as && { 'x-as': as }), ...(token && { authorization: `Bearer ${token}` }) }
      const response = await fetch(url + path, { method, headers })
      const text = await response.text()
      const type = response.headers.get('content-type') ?? ''
      return {
        status: response.status,
        type,
        text,
        body: (type.includes('json') && text !== '' ? JSON.parse(text) : null) as unknown,
      }
    }
  return { t, api, ask: asker(served.url), askApart: asker(apart.url) }
}

describe('health', () => {
  it.each(['/health/live', '/livez', '/api/health/live'])('%s answers whoever asks', async (path) => {
    const { ask } = await open()
    expect(await ask(path)).toMatchObject({ status: 200, body: { status: 'healthy' } })
    expect(await ask(path, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
    expect(await ask(path, { method: 'POST' })).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
  })

  it.each(['/health/ready', '/readyz', '/api/health/ready'])(
    '%s tells the status to all, and why to who may read jobs',
    async (path) => {
      const { ask } = await open()
      for (const as of [undefined, 'nobody may', 'refused'] as const) {
        expect((await ask(path, as && { as })).body).toEqual({ status: 'healthy' })
      }
      expect(await ask(path, { as: 'Admin' })).toMatchObject({
        status: 200,
        body: { status: 'healthy', reason: null, isRunning: true, stale: 0, nodes: 1, slots: 10 },
      })
    },
  )

  it('is 503 once the scheduler has stopped, and alive nevertheless', async () => {
    const { t, ask } = await open()
    await t.app.stop()
    await t.advance('2s')
    expect(await ask('/readyz')).toMatchObject({ status: 503, body: { status: 'unhealthy' } })
    expect(await ask('/livez')).toMatchObject({ status: 200, body: { status: 'healthy' } })
  })
})

describe('metrics', () => {
  it.each<[string, MetricsOptions, Asked, number]>([
    ['nobody without credentials', {}, {}, 401],
    ['nobody with a token where there is none', {}, { token: TOKEN }, 401],
    ['nobody with another token', { token: TOKEN }, { token: `${TOKEN}.` }, 401],
    ['nobody who may not read jobs', { token: TOKEN }, { as: 'nobody may' }, 403],
    ['who has the token', { token: TOKEN }, { token: TOKEN }, 200],
    ['who may read jobs', {}, { as: 'Admin' }, 200],
    ['everybody where they are public', { isPublic: true }, {}, 200],
  ])('are told to %s', async (_who, options, asked, expected) => {
    const { ask } = await open(options)
    for (const path of ['/metrics', '/api/metrics']) {
      const { status, type } = await ask(path, asked)
      expect(status).toBe(expected)
      if (status === 200) expect(type).toBe('text/plain; version=0.0.4; charset=utf-8')
    }
  })

  it('tell of all tenants and of this process, in text that a strict reader takes', async () => {
    const { t, ask } = await open({ token: TOKEN })
    await t.app.setTenant('tenant "\\', { concurrency: 3 })
    await t.app.enqueue('fail "\\', undefined, { tenant: 'tenant "\\' })
    await t.advance('2m')
    await ask('/api/jobs/nowhere', { as: 'Admin' })
    await ask('/api/jobs', { as: 'Admin' })
    await ask('/nowhere')
    const families = readPrometheus((await ask('/metrics', { token: TOKEN })).text)
    const at = (name: string, labels: object = {}) =>
      families.get(name)?.samples.find((sample) => JSON.stringify(sample.labels) === JSON.stringify(labels))?.value
    expect(at('pontual_store_up')).toBe(1)
    expect(at('pontual_executions_running')).toBe(0)
    expect(at('pontual_executions_queued')).toBe(0)
    expect(at('pontual_workers_used', { tenant: 'acme' })).toBe(0)
    expect(at('pontual_workers_maximum', { tenant: 'tenant "\\' })).toBe(3)
    expect(at('pontual_success_ratio')).toBeCloseTo(2 / 3)
    expect(at('pontual_mean_duration_seconds')).toBe(0)
    expect(at('pontual_consecutive_failures')).toBe(0)
    expect(at('pontual_executions_ended_total', { status: 'SUCCESS', job_type: 'import' })).toBe(2)
    expect(at('pontual_executions_ended_total', { status: 'FAILED', job_type: 'fail "\\' })).toBe(1)
    expect(families.get('pontual_attempt_duration_seconds')?.samples.at(-1)?.value).toBe(3)
    expect(families.get('pontual_occurrence_lateness_seconds')?.samples.at(-1)?.value).toBe(2)
    expect(at('pontual_http_requests_total', { method: 'GET', route: '/api/jobs', status: '200' })).toBe(1)
    expect(at('pontual_http_requests_total', { method: 'GET', route: '', status: '404' })).toBe(1)
    expect(at('pontual_kpi', { kpi: 'successRate' })).toBeCloseTo(200 / 3)
    expect(at('pontual_kpi_target_min', { kpi: 'successRate' })).toBe(95)
    expect(at('pontual_kpi_met', { kpi: 'successRate' })).toBe(0)
    expect(families.get('pontual_event_loop_lag_seconds')?.samples).toHaveLength(3)
  })

  it('tell who may read jobs of his tenant alone', async () => {
    const { t, ask } = await open({ token: TOKEN })
    await t.app.enqueue('fail "\\', undefined, { tenant: 'globex' })
    await t.advance('2m')
    const { text } = await ask('/metrics', { as: 'Admin' })
    const families = readPrometheus(text)
    expect(text).not.toMatch(/globex|job_type|fail "/)
    expect(families.get('pontual_success_ratio')?.samples).toMatchObject([{ value: 1 }])
    expect(families.get('pontual_workers_used')?.samples).toMatchObject([{ labels: { tenant: 'acme' } }])
    expect([...families.keys()].filter((name) => /http|process|store/.test(name))).toEqual([])
  })

  it('are kept for five seconds', async () => {
    const { t, ask } = await open({ token: TOKEN })
    const ratio = async () =>
      readPrometheus((await ask('/metrics', { token: TOKEN })).text).get('pontual_success_ratio')
    await t.advance('1m')
    expect((await ratio())?.samples).toMatchObject([{ value: 1 }])
    await t.app.enqueue('fail "\\')
    await t.settle()
    expect((await ratio())?.samples).toMatchObject([{ value: 1 }])
    await t.advance('5s')
    expect((await ratio())?.samples).toMatchObject([{ value: 0.5 }])
  })

  it('have a port of their own where they are apart', async () => {
    const { ask, askApart } = await open({ token: TOKEN, isApart: true })
    expect((await ask('/metrics', { token: TOKEN })).status).toBe(404)
    expect((await askApart('/metrics', { token: TOKEN })).status).toBe(200)
    expect((await askApart('/readyz')).status).toBe(200)
    expect((await askApart('/api/jobs', { as: 'Admin' })).status).toBe(404)
  })

  it('tell that the store is away, and what is known without it', async () => {
    const { t, ask } = await open({ token: TOKEN })
    await t.app.stop()
    const families = readPrometheus((await ask('/metrics', { token: TOKEN })).text)
    expect(families.get('pontual_store_up')?.samples).toMatchObject([{ value: 0 }])
    expect(families.has('process_resident_memory_bytes')).toBe(true)
  })

  it('refuse a token that is easily guessed', async () => {
    await expect(open({ token: 'short' })).rejects.toMatchObject({ code: 'metrics.token_short' })
  })
})

describe.each(Object.keys(HOSTS))('mounted in %s, under a prefix', (name) => {
  it('health and metrics are below /api', async () => {
    const { api } = await open({ token: TOKEN })
    const start = HOSTS[name]
    if (!start) throw new Error('There is no such host.')
    const host = await start(api, '/ops')
    const { url } = host
    stops.push(() => host.close())
    const status = async (path: string, token = '') =>
      (await fetch(url + path, { headers: token === '' ? {} : { authorization: `Bearer ${token}` } })).status
    expect(await status('/ops/api/health/live')).toBe(200)
    expect(await status('/ops/api/health/ready')).toBe(200)
    expect(await status('/ops/api/metrics')).toBe(401)
    expect(await status('/ops/api/metrics', TOKEN)).toBe(200)
    expect(await status('/own')).toBe(200)
  })
})
