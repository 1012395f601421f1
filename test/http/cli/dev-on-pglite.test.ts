import { PGlite } from '@electric-sql/pglite'
import { expect, it } from 'vitest'
import { addressOf, answer, DevProject, ownJobs } from './dev-project.ts'

/** Processes start slowly where many of them do, and a database more so. */
const LIMIT = { timeout: 240_000 }

interface Listed {
  readonly items: readonly {
    readonly id: string
    readonly jobType: string
    readonly misfire: { missed: number } | null
  }[]
}

it(
  'pontual dev keeps the demo and its audit log over restarts, and shows what was missed meanwhile',
  LIMIT,
  async () => {
    await using project = await DevProject.open()
    const entries: number[] = []
    for (const start of ['first', 'second']) {
      await using running = project.run('dev', '--data', 'kept', '--port', '0')
      const url = await addressOf(running)
      const { items } = await answer<Listed>(url, '/api/jobs?q=ClearCache')
      await answer(url, `/api/jobs/${items[0]?.id}/pausar`, {})
      await answer(url, `/api/jobs/${items[0]?.id}/retomar`, {})
      const verdict = await answer<Record<string, unknown>>(url, '/api/jobs/audit-log/verify')
      expect(verdict).toMatchObject({ isIntact: true })
      entries.push(Number(verdict['entries']))
      const runs = await answer<Listed>(url, '/api/jobs/executions?limit=200')
      const missed = runs.items.filter(({ misfire }) => misfire !== null)
      expect(missed.map(({ jobType }) => jobType)).toEqual(start === 'first' ? [] : ['ReconcilePayments'])
      expect(await running.stop()).toMatchObject({ code: 0 })
      await beOffForTenMinutes(`${project.directory}/kept`)
    }
    expect(entries[1]).toBeGreaterThanOrEqual((entries[0] ?? 0) + 2)
  },
)

/** As if it had been ended that long ago. */
async function beOffForTenMinutes(data: string): Promise<void> {
  const database = await PGlite.create({ dataDir: data })
  await database.exec(
    `update pontual.jobs set next_fire_at = next_fire_at - interval '10 minutes' where name = 'ReconcilePayments'`,
  )
  await database.close()
}

const ORDER = `import { appendFileSync } from 'node:fs'
import { type DurableContext, cron, job } from 'pontual'

export const order = job('order', {
  durable: true,
  schedule: { trigger: cron('0 0 1 1 *') },
  run: async (_input: undefined, context: DurableContext) => {
    await context.run('charge', () => appendFileSync('done.txt', 'charged '))
    await context.sleep('2s')
    await context.run('ship', () => appendFileSync('done.txt', 'shipped '))
  },
})
`

it(
  'pontual init writes a project that pontual dev runs; killed and started again, it goes on where it stood',
  LIMIT,
  async () => {
    await using project = await DevProject.open()
    expect(await project.run('init').ended).toMatchObject({ code: 0, errors: '' })
    await project.write('jobs/order.ts', ORDER)
    let id = ''
    {
      await using running = project.run('dev', '--port', '0')
      const url = await addressOf(running)
      expect(await ownJobs(url)).toEqual(['greet', 'order', 'process-order'])
      const asked = await answer<{ executionId: string }>(url, '/api/jobs/enqueue', { jobName: 'order' })
      id = asked.executionId
      const isCharged = async () => (await project.read('done.txt').catch(() => '')) !== ''
      while (!(await isCharged()));
      // With it ends the process of the jobs, or `ended` would wait on.
      expect(await running.stop('SIGKILL')).toMatchObject({ code: null })
    }
    await using running = project.run('dev', '--port', '0')
    const url = await addressOf(running)
    const second = await project.run('dev', '--port', '0').ended
    const refusal: unknown = expect.stringContaining(`pontual dev runs on .pontual already, at ${url} (process `)
    expect(second).toMatchObject({ code: 1, errors: refusal })
    const status = async () => (await answer<{ status: string }>(url, `/api/jobs/executions/${id}`)).status
    while ((await status()) !== 'SUCCESS');
    expect(await project.read('done.txt')).toBe('charged shipped ')
    expect(await running.stop()).toMatchObject({ code: 0 })
  },
)
