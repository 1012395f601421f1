import { describe, expect, it } from 'vitest'
import type { Job } from '../../../src/job/job.ts'
import { NO_DETAILS } from '../../../src/job/job.ts'
import type { JobStatus } from '../../../src/job/job-status.ts'
import { PRIORITIES, type Priority } from '../../../src/job/rules/priority.ts'
import type { JobSearch, JobSort } from '../../../src/store/jobs.ts'
import { type Bench, MINUTE } from './bench.ts'

/** Jobs as people look for them. */
export function describeSearch(bench: Bench): void {
  interface Made {
    readonly tenant?: string
    readonly status?: JobStatus
    readonly jobType?: string
    readonly priority?: Priority
    readonly description?: string
    readonly tags?: readonly string[]
    readonly nextFireAt?: number | null
  }

  async function make(name: string, { description, tags, priority, ...change }: Made = {}): Promise<Job> {
    const details = { ...NO_DETAILS, description: description ?? null, tags: tags ?? [] }
    const job = bench.job({ name, details, ...change })
    const made = { ...job, definition: { ...job.definition, priority: priority ?? 'MEDIUM' } }
    await bench.put(made)
    return made
  }

  async function search(query: Partial<JobSearch> = {}): Promise<string[]> {
    const jobs = await bench.store.jobs.search({
      tenant: 'acme',
      sort: 'name',
      isDescending: false,
      limit: 100,
      ...query,
    })
    return jobs.map(({ name }) => name)
  }

  describe('search', () => {
    it('gives whole jobs, of the tenant alone, without those that are DELETED', async () => {
      const job = await make('b', { description: 'x', tags: ['y'] })
      await make('a', { tenant: 'globex' })
      await make('c', { status: 'DELETED' })
      const [found, ...others] = await bench.store.jobs.search({
        tenant: 'acme',
        sort: 'name',
        isDescending: false,
        limit: 9,
      })
      expect(found).toEqual(await bench.findJob(job.id))
      expect(others).toEqual([])
      expect(await search({ tenant: 'nobody' })).toEqual([])
      expect(await search({ limit: 0 })).toEqual([])
    })

    const filters: [string, Partial<JobSearch>, string[]][] = [
      ['nothing: all', {}, ['Fechamento', 'import', 'ÁGUA']],
      ['a status', { statuses: ['PAUSED'] }, ['import']],
      ['several statuses', { statuses: ['PAUSED', 'ACTIVE'] }, ['Fechamento', 'import', 'ÁGUA']],
      ['those that are DELETED', { statuses: ['DELETED'] }, ['gone']],
      ['those that are DELETED, and others', { statuses: ['DELETED', 'PAUSED'] }, ['gone', 'import']],
      ['no status at all', { statuses: [] }, []],
      ['a job type', { jobTypes: ['close'] }, ['Fechamento']],
      ['several job types', { jobTypes: ['close', 'water'] }, ['Fechamento', 'ÁGUA']],
      ['a priority', { priorities: ['HIGH'] }, ['ÁGUA']],
      ['several priorities', { priorities: ['HIGH', 'LOW'] }, ['Fechamento', 'ÁGUA']],
      ['a tag, as it is written', { tag: 'Mês' }, ['Fechamento']],
      ['a tag in another case: none', { tag: 'mês' }, []],
      ['part of a tag: none', { tag: 'Mê' }, []],
      ['part of a name', { text: 'cham' }, ['Fechamento']],
      ['part of a name, in another case', { text: 'FECHA' }, ['Fechamento']],
      ['letters that are not ASCII, in another case', { text: 'água' }, ['import', 'ÁGUA']],
      ['part of a description', { text: 'contas d' }, ['import']],
      ['letters that are written in two parts', { text: 'a\u0301gua' }, ['import', 'ÁGUA']],
      ['a letter that has two in upper case', { text: 'STRASSE' }, ['import']],
      ['the whole of a tag, in another case', { text: 'mês' }, ['Fechamento']],
      ['part of a tag: none', { text: 'contábi' }, []],
      ['two tags at once: none', { text: 'MêsContábil' }, []],
      ['the end of a name and the begin of a description: none', { text: 'ImportPaga' }, []],
      ['what a pattern would mean', { text: '%' }, ['import']],
      ['what a pattern would mean, once more', { text: '_' }, []],
      ['nothing typed: all', { text: '' }, ['Fechamento', 'import', 'ÁGUA']],
      ['what nobody can type', { text: '\u001f' }, ['import']],
      ['part of a name alone', { names: ['água'] }, ['ÁGUA']],
      ['part of a name, any of several', { names: ['none', 'CHAM', 'ág'] }, ['Fechamento', 'ÁGUA']],
      ['what a pattern would mean in a name: none', { names: ['%', '_'] }, []],
      ['no name at all', { names: [] }, []],
      ['a tag in any case', { tags: ['mês'] }, ['Fechamento']],
      ['any of several tags', { tags: ['none', 'CONTÁBIL'] }, ['Fechamento']],
      ['parts of tags: none', { tags: ['contábi', 'MêsContábil'] }, []],
      ['a status or a job', { either: { statuses: ['PAUSED'], ids: [] } }, ['import']],
      ['neither a status nor a job', { either: { statuses: [], ids: [] } }, []],
      ['those that are DELETED, or a job', { either: { statuses: ['DELETED'], ids: [] } }, ['gone']],
      ['a status, and a status or a job', { statuses: ['ACTIVE'], either: { statuses: ['PAUSED'], ids: [] } }, []],
      ['text and filters together', { text: 'água', statuses: ['ACTIVE'], priorities: ['HIGH'] }, ['ÁGUA']],
      ['of which the others are not true', { text: 'água', tag: 'Mês' }, []],
    ]
    it.each(filters)('for %s', async (_case, query, expected) => {
      await make('Fechamento', { jobType: 'close', priority: 'LOW', tags: ['Mês', 'contábil'] })
      await make('import', { status: 'PAUSED', description: 'Paga contas de água: 100%, Straße' })
      await make('ÁGUA', { jobType: 'water', priority: 'HIGH' })
      await make('gone', { status: 'DELETED' })
      expect(await search(query)).toEqual(expected)
    })

    it('finds one of some jobs, but not where it is DELETED or another tenant’s', async () => {
      const [a, gone, theirs] = [
        await make('a'),
        await make('gone', { status: 'DELETED' }),
        await make('theirs', { tenant: 'globex' }),
      ]
      await make('b', { status: 'PAUSED' })
      const ids = [a.id, gone.id, theirs.id]
      expect(await search({ either: { statuses: [], ids } })).toEqual(['a'])
      expect(await search({ either: { statuses: ['PAUSED'], ids } })).toEqual(['a', 'b'])
      expect(await search({ statuses: ['DELETED', 'ACTIVE'], either: { statuses: [], ids } })).toEqual(['a', 'gone'])
    })

    it('selects the same in short, in the order of ids', async () => {
      const [a, b] = [await make('b', { tags: ['x'] }), await make('a', { status: 'PAUSED', tags: ['X'] })]
      await make('c')
      await make('gone', { status: 'DELETED', tags: ['x'] })
      const expected = [
        { id: a.id, status: 'ACTIVE' },
        { id: b.id, status: 'PAUSED' },
      ]
      const { jobs } = bench.store
      expect(await jobs.select({ tenant: 'acme', tags: ['x'] }, 9)).toEqual(expected)
      expect(await jobs.select({ tenant: 'acme', tags: ['x'] }, 1)).toEqual(expected.slice(0, 1))
      expect(await jobs.select({ tenant: 'acme' }, 9)).toHaveLength(3)
      expect(await jobs.select({ tenant: 'acme' }, 0)).toEqual([])
      expect(await jobs.select({ tenant: 'nobody' }, 9)).toEqual([])
    })

    it('finds what a change has made of a job', async () => {
      const job = await make('before', { description: 'old', tags: ['old-tag'] })
      const details = { ...job.details, description: 'new', tags: ['new-tag'] }
      const changed = { ...job, name: 'after', details, version: 2 }
      await bench.store.jobs.put([{ job: changed, expectedVersion: 1, ledger: [] }])
      for (const text of ['before', 'old', 'old-tag']) expect(await search({ text })).toEqual([])
      for (const text of ['AFTER', 'NEW', 'new-TAG']) expect(await search({ text })).toEqual(['after'])
    })
  })

  describe('search in order', () => {
    /** Several of each value, so that ids decide as well. */
    async function makeMany(): Promise<void> {
      const statuses: JobStatus[] = ['ACTIVE', 'PAUSED', 'FAULTED']
      for (let n = 0; n < 24; n += 1) {
        if (n % 4 === 0) bench.advance(MINUTE)
        await make(`${['z', 'é', '𝒳', '\ue000', 'A', 'a'][n % 6]}-${n}`, {
          status: statuses[n % 3] as JobStatus,
          jobType: `type-${n % 5}`,
          priority: PRIORITIES[n % 3] as Priority,
          nextFireAt: n % 4 === 0 ? null : bench.now + (n % 5) * MINUTE,
        })
      }
    }

    const values: Record<JobSort, (job: Job) => string | number | null> = {
      name: ({ name }) => name,
      status: ({ status }) => status,
      jobType: ({ definition }) => definition.jobType,
      priority: ({ definition }) => definition.priority,
      nextFireAt: ({ schedule }) => schedule.nextFireAt,
      createdAt: ({ createdAt }) => createdAt,
      updatedAt: ({ updatedAt }) => updatedAt,
    }
    const orders = (Object.keys(values) as JobSort[]).flatMap((sort) =>
      [false, true].map((isDescending): [string, JobSort, boolean] => [
        `${sort}, ${isDescending ? 'descending' : 'ascending'}`,
        sort,
        isDescending,
      ]),
    )
    it.each(orders)('by %s: pages follow each other without gap or repetition', async (_case, sort, isDescending) => {
      await makeMany()
      const query = { tenant: 'acme', sort, isDescending }
      const all = await bench.store.jobs.search({ ...query, limit: 100 })
      expect(all).toHaveLength(24)
      const ranks = all.map((job) => rankOf(values[sort](job)))
      const known = ranks.filter((rank) => rank !== null)
      expect(known).toEqual(known.toSorted(isDescending ? (a, b) => compare(b, a) : compare))
      expect(ranks.slice(known.length).every((rank) => rank === null)).toBe(true)
      const paged: Job[] = []
      for (;;) {
        const last = paged.at(-1)
        const after = last && { value: values[sort](last), id: last.id }
        const page = await bench.store.jobs.search({ ...query, limit: 5, after })
        if (page.length === 0) break
        paged.push(...page)
      }
      expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    })

    it('goes on behind a job that is gone meanwhile', async () => {
      const [, b] = [await make('a'), await make('b'), await make('c')]
      await bench.store.jobs.remove([b.id])
      expect(await search({ after: { value: 'b', id: b.id } })).toEqual(['c'])
      expect(await search({ after: { value: 'b', id: b.id }, isDescending: true })).toEqual(['a'])
    })

    /** Text by its code points, priorities as they are taken. */
    function rankOf(value: string | number | null): readonly number[] | null {
      if (value === null) return null
      if (typeof value === 'number') return [value]
      const rank = (PRIORITIES as readonly string[]).indexOf(value)
      return rank < 0 ? Array.from(value, (letter) => letter.codePointAt(0) ?? 0) : [rank]
    }

    function compare(a: readonly number[], b: readonly number[]): number {
      const place = a.findIndex((point, index) => point !== b[index])
      return place < 0 ? a.length - b.length : (a[place] ?? 0) - (b[place] ?? -1)
    }
  })

  describe('count', () => {
    it('tells how many jobs a tenant has in which status', async () => {
      for (const [n, status] of (['ACTIVE', 'ACTIVE', 'PAUSED', 'DELETED', 'PENDING_APPROVAL'] as const).entries()) {
        await make(`job-${n}`, { status })
      }
      await make('other', { tenant: 'globex', status: 'FAULTED' })
      expect(await bench.store.jobs.count('acme')).toEqual({ ACTIVE: 2, PAUSED: 1, PENDING_APPROVAL: 1 })
      expect(await bench.store.jobs.count('globex')).toEqual({ FAULTED: 1 })
      expect(await bench.store.jobs.count('nobody')).toEqual({})
    })

    it('tells how many jobs a tenant has of which job type', async () => {
      await make('one', { jobType: 'report' })
      await make('two', { jobType: 'Import' })
      await make('three', { jobType: 'report', status: 'DISABLED' })
      await make('gone', { jobType: 'obsolete', status: 'DELETED' })
      await make('other', { tenant: 'globex', jobType: 'theirs' })
      expect(await bench.store.jobs.countTypes('acme')).toEqual([
        { jobType: 'Import', count: 1 },
        { jobType: 'report', count: 2 },
      ])
      expect(await bench.store.jobs.countTypes('nobody')).toEqual([])
    })
  })
}
