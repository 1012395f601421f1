import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { type Pontual, pontual } from '../../../src/pontual.ts'
import { createApi } from '../../../src/server/create-api.ts'
import { type Served, serve } from '../../../src/server/mount/serve.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { runCommand } from './run-command.ts'

const NOW = Date.parse('2026-03-07T00:00:30Z')

let app: Pontual
let served: Served
beforeAll(async () => {
  const every = (id: string, expression: string, policy: 'fireAll' | 'skipToNext' | 'fireOnce') =>
    job(id, { schedule: { trigger: cron(expression), misfire: { policy } }, run: () => 'done' })
  app = pontual({
    store: memory(),
    logger: 'silent',
    jobs: [
      every('hourly', '0 * * * *', 'fireAll'),
      every('minutely', '* * * * *', 'skipToNext'),
      every('yearly', '0 0 1 6 *', 'fireOnce'),
    ],
  })
  const api = await createApi(app, { identity: { dev: true }, dashboard: false })
  await app.start()
  served = await serve(api, { port: 0, isLoopbackOnly: true })
})
afterAll(async () => {
  await served?.close()
  await app?.stop()
})

async function run(...args: string[]): Promise<string> {
  return await runCommand(NOW, args)
}

describe('pontual simulate of stored jobs', () => {
  it('shows what each would do by its own policy', async () => {
    const output = await run('simulate', '--outage', '3h', '--url', served.url, '--zone', 'UTC')
    expect(output).toMatch(/^Had nothing fired from Fri 2026-03-06 21:00:30 .+ to Sat 2026-03-07 00:00:30 .+, 3 h:$/m)
    expect(output).toMatch(/^hourly +fireAll +\[[ .]+\]# +3 +3 /m)
    expect(output).toMatch(/^minutely +skipToNext +\[\.+\] +180 +0 +0 +180 +0 /m)
    expect(output).toContain('1 job would have missed nothing.')
    expect(output).not.toContain('yearly')
  })

  it('shows them by other policies', async () => {
    const output = await run('simulate', '--outage', '3h', '--url', served.url, '--policy', 'fireOnce', 'fireNow')
    expect(output).toMatch(/^hourly +fireOnce .+\nhourly +fireNow /m)
  })

  it('prints JSON', async () => {
    const output = await run('simulate', '--outage', '3h', '--url', served.url, '--json')
    expect(JSON.parse(output)).toMatchObject({
      outage: { from: '2026-03-06T21:00:30.000Z', to: '2026-03-07T00:00:30.000Z' },
      jobs: [
        { name: 'hourly', policy: 'fireAll', missed: 3, policies: { fireAll: { executions: 3 } } },
        { name: 'minutely', missed: 180 },
        { name: 'yearly', missed: 0 },
      ],
      tooLong: [],
    })
  })

  it.each([
    [['simulate', '--url', 'http://127.0.0.1:1', '--outage', '1h'], 'http://127.0.0.1:1'],
    [['simulate'], '--outage'],
  ])('refuses %j', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message)
  })
})

describe('pontual openapi', () => {
  it('prints what a service answers with', async () => {
    const printed: unknown = JSON.parse(await run('openapi'))
    expect(printed).toEqual(await (await fetch(`${served.url}/api/jobs/openapi.json`)).json())
    expect(JSON.parse(await run('openapi', '--json'))).toEqual(printed)
  })

  it('names where it is mounted', async () => {
    expect(JSON.parse(await run('openapi', '--prefix', '/ops'))).toMatchObject({ servers: [{ url: '/ops' }] })
    await expect(run('openapi', '--prefix', 'ops/')).rejects.toThrow('--prefix must be a path such as "/ops"')
  })
})
