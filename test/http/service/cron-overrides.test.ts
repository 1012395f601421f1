import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OverrideOptions } from '../../../src/engine/app/cron-overrides.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { createApi } from '../../../src/server/create-api.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { testPontual } from '../../../src/testing/test-pontual.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { RecordedLog } from '../../suites/scenarios/recorded.ts'

const VARIABLE = 'PONTUAL_JOBS__NIGHTLY__CRON'
const nightly = job('nightly', {
  schedule: { trigger: cron('0 3 * * *', { timeZone: 'America/Sao_Paulo' }) },
  run: () => 'done',
})

let folder = ''
let store: StoreSource
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pontual-overrides-'))
  store = memory()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type View = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number }

/** A start of the service with this configuration, and its API as an Admin sees it. */
async function startWith(overrides: OverrideOptions) {
  const { logger, lines } = new RecordedLog()
  const t = await testPontual({ store, jobs: [nightly], tenant: 'acme', overrides, logger })
  const identity = { authenticate: () => ({ tenant: 'acme', userId: 'ana', profile: 'Admin' as const }) }
  const api = await createApi(t.app, { identity, service: { duties: false } })
  const ask = async (method: string, path: string, body?: object): Promise<View> => {
    const headers = { 'content-type': 'application/json', 'x-requested-with': 'test' }
    const sent = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    const response = await api.fetch(new Request(`http://localhost/api/jobs${path}`, sent))
    return (await response.json()) as View
  }
  return {
    errors: () => lines.filter(({ level }) => level === 'error'),
    job: async () => {
      const { items } = (await ask('GET', '')) as unknown as { items: readonly View[] }
      return await ask('GET', `/${items[0]?.id}`)
    },
    put: async (fields: object) => await ask('PUT', `/${(await idOf(ask)) ?? ''}`, fields),
    reset: async () => await ask('POST', `/${(await idOf(ask)) ?? ''}/reset`),
    [Symbol.asyncDispose]: async () => {
      api.close()
      await t.stop()
    },
  }
}

async function idOf(ask: (method: string, path: string) => Promise<View>): Promise<string | undefined> {
  return ((await ask('GET', '')) as unknown as { items: readonly View[] }).items[0]?.id
}

const CODE = { cronExpression: '0 3 * * *', timeZone: 'America/Sao_Paulo', origin: 'code', differsFromCode: null }

describe('a cron that the configuration overrides', () => {
  it('is shown with where that stands and what the code says', async () => {
    await using service = await startWith({ env: { [VARIABLE]: '*/15 * * * *' } })
    expect(await service.job()).toMatchObject({
      ...CODE,
      cronExpression: '*/15 * * * *',
      cronOverride: { source: VARIABLE, cronExpression: '*/15 * * * *', codeCronExpression: '0 3 * * *' },
    })
    expect(service.errors()).toEqual([])
  })

  it('comes from a file as well, of which the name is shown and not where it lies', async () => {
    const file = join(folder, 'pontual.json')
    writeFileSync(file, JSON.stringify({ jobs: { nightly: { cron: '30 4 * * 1' } } }))
    await using service = await startWith({ file, env: {} })
    expect(await service.job()).toMatchObject({
      cronExpression: '30 4 * * 1',
      cronOverride: { source: 'pontual.json: jobs.nightly.cron', codeCronExpression: '0 3 * * *' },
    })
  })

  it('is that of the code where it is not valid, and the error is logged', async () => {
    await using service = await startWith({ env: { [VARIABLE]: '75 3 * * *' } })
    expect(await service.job()).toMatchObject({ ...CODE, cronOverride: null })
    expect(service.errors()).toMatchObject([{ fields: { job: 'nightly', source: VARIABLE } }])
  })

  it('is that of the code again once it is gone', async () => {
    {
      await using service = await startWith({ env: { [VARIABLE]: '*/15 * * * *' } })
      await service.job()
    }
    await using service = await startWith({ env: {} })
    expect(await service.job()).toMatchObject({ ...CODE, cronOverride: null })
  })

  it('yields to an edit over the API, through restarts, until that is reset', async () => {
    const overrides = { env: { [VARIABLE]: '*/15 * * * *' } }
    const override = { source: VARIABLE, cronExpression: '*/15 * * * *', codeCronExpression: '0 3 * * *' }
    const edited = {
      cronExpression: '0 6 * * *',
      differsFromCode: { cronExpression: '*/15 * * * *' },
      cronOverride: override,
    }
    {
      await using service = await startWith(overrides)
      expect(await service.put({ cronExpression: '0 6 * * *' })).toMatchObject(edited)
    }
    await using service = await startWith(overrides)
    expect(await service.job()).toMatchObject(edited)
    expect(await service.reset()).toMatchObject({
      cronExpression: '*/15 * * * *',
      differsFromCode: null,
      cronOverride: override,
    })
  })
})
