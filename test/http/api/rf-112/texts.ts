import { describe, expect, it } from 'vitest'
import { type Company, fieldsOf, type Stage } from './stage.ts'

const PORTUGUESE = { headers: { 'accept-language': 'pt-BR' } }

/** Section 4.2: what the API says, in the words of the requirement. */
export function describeTexts(at: () => Stage): void {
  /** What a job with these fields is refused with, whole and by field. */
  async function refusalOf({ developer }: Company, change: Readonly<Record<string, unknown>>): Promise<string[]> {
    const { body, headers } = await developer.post('/api/jobs', fieldsOf(change), PORTUGUESE)
    expect(headers.get('content-language')).toBe('pt-BR')
    return [body.detail, ...(body.errors ?? []).map(({ message }) => message)]
  }

  describe('4.2 texts', () => {
    it.each<[key: string, text: string, change: Readonly<Record<string, unknown>>]>([
      ['invalidCron', 'Expressão CRON inválida', { cronExpression: '60 * * * *' }],
      ['nameRequired', 'Nome é obrigatório', { name: undefined }],
      ['nameMinLength', 'Nome deve ter pelo menos 3 caracteres', { name: 'ab' }],
      ['cronRequired', 'Expressão CRON é obrigatória', { cronExpression: undefined }],
      ['timeoutRequired', 'Timeout é obrigatório', { timeoutMinutes: null }],
      ['timeoutMinValue', 'Timeout mínimo é 5 minutos', { timeoutMinutes: 4 }],
      ['timeoutMaxValue', 'Timeout máximo é 240 minutos', { timeoutMinutes: 241 }],
    ])('%s: %s', async (_key, text, change) => {
      const said = await refusalOf(at().company(), change)
      expect(said).toContainEqual(expect.stringMatching(`^${text}`))
    })

    it('nameAlreadyExists: Já existe um job com este nome', async () => {
      const a = at().company()
      const { name } = await a.makes()
      expect(await refusalOf(a, { name })).toContain('Já existe um job com este nome')
    })

    it('jobNotFound: Job não encontrado', async () => {
      const path = '/api/jobs/00000000-0000-4000-8000-000000000000'
      expect(await at().company().manager.get(path, PORTUGUESE)).toMatchObject({
        status: 404,
        body: { detail: 'Job não encontrado' },
      })
    })

    it('maxWorkersExceeded: Limite máximo de workers atingido', async () => {
      const a = at().company()
      await a.admin.put('/api/jobs/settings', { concurrency: 1 })
      const { id } = await a.makes({ payload: { isEndless: true } })
      await at().reached(a.admin, await a.executes(id), 'RUNNING')
      expect(await a.developer.post(`/api/jobs/${id}/executar`, undefined, PORTUGUESE)).toMatchObject({
        status: 202,
        body: { message: 'Limite máximo de workers atingido' },
      })
      await a.developer.post(`/api/jobs/${id}/cancelar`)
    })

    it('English is what is said without a wish', async () => {
      const { body, headers } = await at()
        .company()
        .developer.post('/api/jobs', fieldsOf({ name: 'ab' }))
      expect(headers.get('content-language')).toBe('en')
      expect(body.errors).toMatchObject([{ pointer: '/name', message: expect.stringContaining('3') as unknown }])
    })
  })
}
