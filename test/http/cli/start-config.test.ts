import { expect, it } from 'vitest'
import { startNode } from '../../../src/cli/commands/start.ts'
import { startSettings } from '../../../src/cli/start-settings.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { type Config, defineConfig } from '../../../src/server/define-config.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { cron } from '../../../src/time/triggers/cron.ts'

const nightly = job('nightly', { schedule: { trigger: cron('0 0 * * *') }, run: () => 1 })

it('pontual start runs what its configuration says: jobs, tenant, store, who may ask, no dashboard', async () => {
  const config = defineConfig({
    tenant: 'acme',
    store: () => memory(),
    logger: 'silent',
    identity: { authenticate: () => ({ tenant: 'acme', userId: 'ana', profile: 'Admin' }) },
    server: { port: 0, dashboard: false, shutdownDelay: 0 },
  })
  const running = await startNode(startSettings({}, config), [nightly], config)
  try {
    const { items } = (await (await fetch(`${running.url}/api/jobs?q=nightly`)).json()) as { items: object[] }
    expect(items).toMatchObject([{ name: 'nightly', jobType: 'nightly' }])
    expect(running.dashboardUrl).toBeNull()
    expect((await fetch(`${running.url}/jobs/`)).status).toBe(404)
  } finally {
    await running.stop()
  }
})

it.each<[string, object, string]>([
  ['a field that is not known', { jbos: [] }, 'Did you mean "jobs"?'],
  ['one of the server', { server: { hots: 'x' } }, 'Did you mean "host"?'],
  ['jobs that are no list', { jobs: 'jobs/*.ts' }, 'The configuration: jobs must be a list'],
  ['a store that is none', { store: 'postgres://x' }, 'store must be postgres(url), or a function that gives it'],
])('a configuration with %s is refused', (_what, config, message) => {
  expect(() => defineConfig(config as Config)).toThrow(message)
})
