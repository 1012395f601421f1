import { describe, expect, it } from 'vitest'
import { type Company, once, type Stage } from './stage.ts'

const sought = (q: string) => `q=${encodeURIComponent(q)}`

/** What people type into the search. */
export function describeSearch(at: () => Stage): void {
  /** A week ago one job failed; today another did, and a third succeeded. */
  const prepare = once(async () => {
    const company = at().company()
    const failing = { retryCount: 0, payload: { failures: 1 } }
    const old = await company.makes({ name: 'Fechar mês', tags: ['Financeiro'], ...failing })
    const first = await company.runs(old.id)
    await at().test.advance('7d')
    const fresh = await company.makes({ name: 'Importar notas', tags: ['financeiro', 'two words'], ...failing })
    const second = await company.runs(fresh.id)
    await at().test.advance('1s')
    const good = await company.makes({ name: 'Limpar "cache"', jobType: 'LimparCache', priority: 'LOW' })
    const third = await company.runs(good.id)
    const paused = await company.makes({ name: 'status:failed' })
    await company.developer.post(`/api/jobs/${paused.id}/pausar`)
    return { company, first, second, third, old, fresh, good }
  })

  const namesOf = async (company: Company, path: string, field: string) => {
    const { status, text, body } = await company.manager.get(path)
    expect(status, text).toBe(200)
    return body.items.map((item) => item[field])
  }

  describe('a search for jobs', () => {
    it.each<[string, readonly string[]]>([
      ['status:faulted', ['Fechar mês', 'Importar notas']],
      ['status:failed', ['Fechar mês', 'Importar notas']],
      ['status:failed after:2d', ['Importar notas']],
      ['status:failed tag:FINANCEIRO after:2d', ['Importar notas']],
      ['status:failed tag:other', []],
      ['status:failed before:2d', ['Fechar mês']],
      ['status:success', ['Limpar "cache"']],
      ['status:success,paused', ['Limpar "cache"', 'status:failed']],
      ['status:paused after:2d', []],
      ['after:2d', ['Importar notas', 'Limpar "cache"']],
      ['tag:"two words"', ['Importar notas']],
      ['type:LimparCache priority:low,high', ['Limpar "cache"']],
      ['"status:failed"', ['status:failed']],
      ['mês status:failed', ['Fechar mês']],
      ['status:failed%', ['400']],
    ])('%s', async (q, expected) => {
      const { company } = await prepare()
      if (expected[0] === '400') expect((await company.manager.get(`/api/jobs?${sought(q)}`)).status).toBe(400)
      else expect(await namesOf(company, `/api/jobs?${sought(q)}`, 'name')).toEqual(expected)
    })

    it('goes on by cursor, and only for the same search', async () => {
      const { company } = await prepare()
      const path = `/api/jobs?limit=1&${sought('status:failed after:30d')}`
      const first = (await company.manager.get(path)).body
      await at().test.advance('1s')
      const second = await company.manager.get(`${path}&cursor=${first.nextCursor}`)
      expect(second.body).toMatchObject({ items: [{ name: 'Importar notas' }], nextCursor: null })
      const other = `/api/jobs?limit=1&${sought('status:failed after:31d')}&cursor=${first.nextCursor}`
      expect(await company.manager.get(other)).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } })
    })

    it('says what is accepted, in the language asked for', async () => {
      const { company } = await prepare()
      const ask = (language: string) =>
        company.manager.get(`/api/jobs?${sought('stauts:failed')}`, { headers: { 'accept-language': language } })
      const [english, portuguese] = [await ask('en'), await ask('pt-BR')]
      expect(english).toMatchObject({ status: 400, body: { errors: [{ pointer: '/q', code: 'search_invalid' }] } })
      expect(english.body.errors[0]?.message).toContain('Did you mean "status"? What stands in quotes')
      expect(portuguese.body.errors[0]?.message).toContain('Você quis dizer "status"? O que está entre aspas')
    })

    it('by what ran is for those who may see what ran', async () => {
      const { company } = await prepare()
      const reader = company.person('Developer', ['jobs:read'])
      expect((await reader.get(`/api/jobs?${sought('status:failed')}`)).status).toBe(403)
      expect((await reader.get(`/api/jobs?${sought('status:faulted')}`)).status).toBe(200)
    })

    it('tells the last executions of each job to those who may see them', async () => {
      const { company, second } = await prepare()
      const path = `/api/jobs?with=recent&${sought('Importar')}`
      const [job] = (await company.manager.get(path)).body.items
      const { id, status, createdAt, durationMs, errorMessage } = second
      expect(job?.['recentExecutions']).toEqual([{ id, status, createdAt, durationMs, errorMessage }])
      const [unseen] = (await company.person('Developer', ['jobs:read']).get(path)).body.items
      expect(unseen).not.toHaveProperty('recentExecutions')
      expect((await company.manager.get('/api/jobs')).body.items[0]).not.toHaveProperty('recentExecutions')
      // What a list gave can be edited and sent back.
      const sent = await company.developer.put(`/api/jobs/${job?.id}`, { ...job, description: 'edited' })
      expect(sent.status, sent.text).toBe(200)
    })
  })

  describe('a search for executions', () => {
    it.each<[string, readonly ('first' | 'second' | 'third')[]]>([
      ['', ['third', 'second', 'first']],
      ['no answer', ['second', 'first']],
      ['NO ANSWER after:2d', ['second']],
      ['nota', ['second']],
      ['job:nota', ['second']],
      ['job:nota,mês', ['second', 'first']],
      ['tag:financeiro', ['second', 'first']],
      ['tag:financeiro job:mês', ['first']],
      ['status:success', ['third']],
      ['status:failed,success after:2d', ['third', 'second']],
      ['type:LimparCache,ImportarFaturas before:2d', ['first']],
      ['type:LimparCache "no answer"', []],
      ['job:nothing', []],
      ['%', []],
      ['_', []],
    ])('%s', async (q, expected) => {
      const made = await prepare()
      const found = await namesOf(made.company, `/api/jobs/executions?${sought(q)}`, 'id')
      expect(found).toEqual(expected.map((name) => made[name].id))
    })

    it('finds one by its id, and those of a job by its', async () => {
      const { company, first, second, fresh } = await prepare()
      const ids = async (q: string) => await namesOf(company, `/api/jobs/executions?${sought(q)}`, 'id')
      expect(await ids(first.id.toUpperCase())).toEqual([first.id])
      expect(await ids(`${first.id} status:success`)).toEqual([])
      expect(await ids(`job:${fresh.id}`)).toEqual([second.id])
      const stranger = at().company()
      expect((await stranger.manager.get(`/api/jobs/executions?${sought(first.id)}`)).body.items).toEqual([])
      expect((await stranger.manager.get(`/api/jobs/executions?${sought(`job:${fresh.id}`)}`)).body.items).toEqual([])
    })

    it('takes a range, and goes on by cursor', async () => {
      const { company, first, second, third } = await prepare()
      const ids = async (rest: string) => await namesOf(company, `/api/jobs/executions?${rest}`, 'id')
      const [from, to] = [first, third].map((each) => encodeURIComponent(String(each['createdAt'])))
      expect(await ids(`from=${from}&to=${to}`)).toEqual([second.id, first.id])
      expect(await ids(`to=${from}`)).toEqual([])
      expect(await ids(`from=${to}&${sought('after:30d')}`)).toEqual([third.id])
      const path = `/api/jobs/executions?limit=1&${sought('no answer')}`
      const { body } = await company.manager.get(path)
      expect(await ids(`limit=1&${sought('no answer')}&cursor=${body.nextCursor}`)).toEqual([first.id])
      const other = await company.manager.get(`${path}&from=${from}&cursor=${body.nextCursor}`)
      expect(other).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } })
    })

    it('tells the name of the job, also of one that is deleted', async () => {
      const { company, old, first } = await prepare()
      const names = async () => await namesOf(company, '/api/jobs/executions', 'jobName')
      expect(await names()).toEqual(['Limpar "cache"', 'Importar notas', 'Fechar mês'])
      const single = await company.manager.get(`/api/jobs/executions/${first.id}`)
      expect(single.body).toMatchObject({ jobName: 'Fechar mês', jobId: old.id })
      const company2 = at().company()
      const gone = await company2.makes({ name: 'Passado' })
      await company2.runs(gone.id)
      await company2.admin.delete(`/api/jobs/${gone.id}`)
      expect(await namesOf(company2, `/api/jobs/executions?${sought('job:passado')}`, 'jobName')).toEqual(['Passado'])
    })
  })

  describe('hostile searches', () => {
    const HOSTILE = [
      "' or 1=1 --",
      "'; drop table pontual.jobs; --",
      '%_\\',
      "' & | ! ( ) : *",
      '"',
      '""""',
      ':::::',
      'status:*',
      'tag:%',
      "type:'||pg_sleep(9)||'",
      'job:\\',
      'after:9999999999999999y',
      'before:0001-01-01',
      'after:9999-12-31',
      '\ud7ff\ue000\uffff',
      'x'.repeat(255),
      'tag:a,'.repeat(40),
      '"'.repeat(255),
    ]
    it.each(HOSTILE)('%j is refused, or finds nothing', async (q) => {
      const { company } = await prepare()
      for (const path of ['/api/jobs', '/api/jobs/executions']) {
        const { status, text, body } = await company.manager.get(`${path}?${sought(q)}`)
        expect([200, 400], text).toContain(status)
        if (status === 200 && !q.startsWith('before') && !q.startsWith('"')) expect(body.items).toEqual([])
      }
      const counted = await company.manager.post('/api/jobs/bulk', { verb: 'delete', query: { q }, dryRun: true })
      expect([200, 400], counted.text).toContain(counted.status)
    })
  })
}
