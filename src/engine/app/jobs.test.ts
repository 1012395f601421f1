import { describe, expect, it } from 'vitest'
import { job } from '../../job/type/job-type.ts'
import { pontual } from '../../pontual.ts'
import type { JobStore } from '../../store/jobs.ts'
import { memory } from '../../store/memory/memory.ts'
import type { StoreSource } from '../../store/store.ts'
import { cron } from '../../time/triggers/cron.ts'

/** A source that counts how often each verb of its jobs is asked. */
function counted(): { readonly source: StoreSource; readonly asked: Map<string, number> } {
  const asked = new Map<string, number>()
  const source = memory()
  const count = (jobs: JobStore) =>
    new Proxy(jobs, {
      get: (target, verb: keyof JobStore) => {
        asked.set(verb, (asked.get(verb) ?? 0) + 1)
        return target[verb]
      },
    })
  const open: StoreSource['open'] = async (surroundings) => {
    const store = await source.open(surroundings)
    return { ...store, jobs: count(store.jobs) }
  }
  return { source: { kind: source.kind, open }, asked }
}

const work = job<number>('work', { run: () => {} })

describe('jobs that many schedule at the same time', () => {
  it('are stored in few round trips, each as it was asked for', async () => {
    const { source, asked } = counted()
    await using app = pontual({ store: source, logger: 'silent' })
    await app.jobs()
    asked.clear()
    const schedule = (n: number) => app.schedule(work, { name: `job-${n}`, trigger: cron('0 2 * * *'), input: n })
    const jobs = await Promise.all(Array.from({ length: 500 }, (_, n) => schedule(n)))
    expect(jobs.map(({ name }) => name)).toEqual(Array.from({ length: 500 }, (_, n) => `job-${n}`))
    expect((await app.jobs({ limit: 1_000 })).length).toBe(500)
    expect(asked.get('put')).toBeLessThan(10)
    expect(asked.get('findByName')).toBeLessThan(10)
  })

  it('are one where the name is the same, of one tenant', async () => {
    const { source } = counted()
    await using app = pontual({ store: source, logger: 'silent' })
    const schedule = (n: number, tenant: string) =>
      app.schedule(work, { name: 'same', tenant, trigger: cron(`${n} 2 * * *`), input: n })
    await Promise.all(Array.from({ length: 12 }, (_, n) => schedule(n, n % 2 === 0 ? 'a' : 'b')))
    const jobs = await app.jobs()
    expect(jobs.map(({ tenant, version }) => ({ tenant, version }))).toEqual([
      { tenant: 'a', version: 6 },
      { tenant: 'b', version: 6 },
    ])
  })
})
