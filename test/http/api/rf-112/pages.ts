import { describe, expect, it } from 'vitest'
import type { Body } from './reply.ts'
import { once, type Person, type Stage } from './stage.ts'

/** Reads a list to its end; between pages something may happen. */
async function readAll(
  person: Person,
  path: string,
  between: (page: number) => Promise<unknown> = async () => undefined,
) {
  const pages: (readonly Body[])[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { status, text, body } = await person.get(`${path}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    expect(status, text).toBe(200)
    pages.push(body.items)
    cursor = body.nextCursor
    if (cursor !== null) await between(pages.length)
  }
  return pages
}

const namesOf = (items: readonly Body[]) => items.map((item) => item['name'])

/** The contract's lists. */
export function describePages(at: () => Stage): void {
  describe('pages', () => {
    it('of jobs have each job once', async () => {
      const a = at().company()
      for (const name of ['delta', 'alpha', 'echo', 'bravo', 'charlie']) await a.makes({ name })
      const pages = await readAll(a.manager, '/api/jobs?limit=2')
      expect(pages.map(namesOf)).toEqual([['alpha', 'bravo'], ['charlie', 'delta'], ['echo']])
    })

    it('have what was there at the beginning once, whatever is added and removed meanwhile', async () => {
      const a = at().company()
      const made = new Map<unknown, string>()
      for (const name of ['b1', 'd1', 'f1', 'h1', 'j1', 'l1'].map((each) => `job ${each}`))
        made.set(name, (await a.makes({ name })).id)
      const pages = await readAll(a.manager, '/api/jobs?limit=2', async (page) => {
        await a.makes({ name: `job a${page}` })
        await a.makes({ name: `job k${page}` })
        // Also the very job after which the next page begins.
        if (page === 1) await a.admin.delete(`/api/jobs/${made.get('job d1')}`)
      })
      const seen = namesOf(pages.flat()).map(String)
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen).toEqual(expect.arrayContaining([...made.keys()]))
      expect(seen).toEqual(seen.toSorted((a, b) => (a < b ? -1 : 1)))
    })

    it('of a history have each execution once, though new ones come in front', async () => {
      const a = at().company()
      const { id } = await a.makes()
      const enqueue = () => a.developer.post('/api/jobs/enqueue', { jobId: id, delayMs: 3_600_000 })
      const before = []
      for (let made = 0; made < 5; made += 1) before.push((await enqueue()).body.executionId)
      const pages = await readAll(a.manager, `/api/jobs/${id}/historico?limit=2`, enqueue)
      expect(pages.flat().map((execution) => execution.id)).toEqual(before.toReversed())
      await a.developer.post(`/api/jobs/${id}/cancelar`)
    })

    it.each<[string, readonly string[]]>([
      ['name', ['anna', 'bert', 'carl']],
      ['-name', ['carl', 'bert', 'anna']],
      ['createdAt', ['carl', 'anna', 'bert']],
      ['-createdAt', ['bert', 'anna', 'carl']],
      ['priority', ['bert', 'anna', 'carl']],
      ['-priority', ['carl', 'anna', 'bert']],
      ['nextExecution', ['anna', 'carl', 'bert']],
      ['jobType', ['bert', 'carl', 'anna']],
      ['status', ['anna', 'bert', 'carl']],
    ])('sorted by %s keep that order from page to page', async (sort, expected) => {
      const a = at().company()
      await a.makes({ name: 'carl', priority: 'LOW', jobType: 'LimparCache', cronExpression: '0 0 1 6 *' })
      await at().test.advance(1_000)
      await a.makes({ name: 'anna', priority: 'MEDIUM', jobType: 'SincronizarAzureAD', cronExpression: '0 0 1 3 *' })
      await at().test.advance(1_000)
      const { id } = await a.makes({ name: 'bert', priority: 'HIGH', cronExpression: '0 0 1 9 *' })
      if (sort === 'status') {
        await a.developer.post(`/api/jobs/${id}/pausar`)
        const [carl] = (await a.manager.get('/api/jobs?q=carl')).body.items
        await a.developer.put(`/api/jobs/${carl?.id}`, { requiresTwoStepExecution: true })
      }
      const pages = await readAll(a.manager, `/api/jobs?limit=1&sort=${sort}`)
      expect(namesOf(pages.flat())).toEqual(expected)
    })

    it('go on for those who asked for them, and for the same question', async () => {
      const [a, b] = [at().company(), at().company()]
      for (const company of [a, b]) for (let made = 0; made < 3; made += 1) await company.makes()
      const { nextCursor } = (await a.manager.get('/api/jobs?limit=1')).body
      const asks = (person: Person, rest: string) => person.get(`/api/jobs?limit=1&cursor=${nextCursor}${rest}`)
      expect(await asks(a.developer, '')).toMatchObject({ status: 200 })
      for (const reply of [
        await asks(b.admin, ''),
        await asks(a.manager, '&sort=-name'),
        await asks(a.manager, '&status=PAUSED'),
        await a.manager.get(`/api/jobs/executions?cursor=${nextCursor}`),
        await a.manager.get(`/api/jobs?cursor=${forged(String(nextCursor))}`),
      ]) {
        expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } })
      }
    })
  })

  describe('search and filters', () => {
    const prepare = once(async () => {
      const company = at().company()
      await company.makes({
        name: 'Importar faturas',
        description: 'Operadora A',
        tags: ['finance', 'nightly'],
        priority: 'HIGH',
      })
      await company.makes({ name: 'Limpar cache', jobType: 'LimparCache', tags: ['nightly'], priority: 'LOW' })
      const { id } = await company.makes({
        name: 'Sincronização AD',
        jobType: 'SincronizarAzureAD',
        description: '100% dos usuários',
      })
      await company.developer.post(`/api/jobs/${id}/pausar`)
      const gone = await company.makes({ name: 'Limpar tudo' })
      await company.admin.delete(`/api/jobs/${gone.id}`)
      return company
    })

    it.each<[string, readonly string[]]>([
      ['', ['Importar faturas', 'Limpar cache', 'Sincronização AD']],
      ['q=limpar', ['Limpar cache']],
      ['q=FATURAS', ['Importar faturas']],
      ['q=SINCRONIZAÇÃO', ['Sincronização AD']],
      ['q=operadora', ['Importar faturas']],
      ['q=100%25', ['Sincronização AD']],
      ['q=%25', ['Sincronização AD']],
      ['q=_', []],
      ['q=nightly', ['Importar faturas', 'Limpar cache']],
      ['tag=nightly', ['Importar faturas', 'Limpar cache']],
      ['tag=night', []],
      ['status=PAUSED', ['Sincronização AD']],
      ['status=ACTIVE,PAUSED', ['Importar faturas', 'Limpar cache', 'Sincronização AD']],
      ['status=DELETED', ['Limpar tudo']],
      ['jobType=LimparCache', ['Limpar cache']],
      ['jobType=LimparCache,SincronizarAzureAD', ['Limpar cache', 'Sincronização AD']],
      ['priority=HIGH', ['Importar faturas']],
      ['priority=HIGH,LOW&tag=nightly&q=limpar', ['Limpar cache']],
    ])('GET /api/jobs?%s', async (query, expected) => {
      const { status, text, body } = await (await prepare()).manager.get(`/api/jobs?${query}`)
      expect(status, text).toBe(200)
      expect(namesOf(body.items)).toEqual(expected)
    })
  })
}

/** The same cursor with another letter in its signature. */
function forged(cursor: string): string {
  return `${cursor.slice(0, -9)}${cursor.at(-9) === 'A' ? 'B' : 'A'}${cursor.slice(-8)}`
}
