import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ana, fields, openStage, stranger } from '../../../../test/http/service/stage.ts'
import { job } from '../../../job/type/job-type.ts'

const run = () => null

describe('job types', () => {
  it('are told with what each may be given, and how many jobs of the tenant are of it', async () => {
    await using stage = await openStage()
    const { jobs } = stage.service
    await jobs.create(ana, fields())
    await jobs.create(ana, fields())
    await jobs.create(stranger, fields())
    const { items } = await jobs.types(ana)
    const known = { isKnown: true, isDurable: false, isSensitive: false, queue: 'default', jobCount: 0 }
    expect(items.map(({ id }) => id)).toEqual([
      'DeletarDadosObsoletos',
      'Demorar',
      'Estrito',
      'Falhar',
      'ImportarFaturas',
      'pedido',
    ])
    expect(items).toMatchObject([
      { ...known, isSensitive: true, inputSchema: null },
      { ...known, inputSchema: null },
      { ...known, inputSchema: { type: 'object', required: ['path'] } },
      { ...known, inputSchema: null },
      { ...known, jobCount: 2, inputSchema: {} },
      { ...known, isDurable: true, inputSchema: null },
    ])
  })

  it('that only stored jobs name are told as such', async () => {
    await using stage = await openStage({ jobs: [job('agora', { queue: 'slow', input: z.string(), run })] })
    const made = await stage.service.jobs.create(ana, fields({ jobType: 'agora', payload: 'x' }))
    const { store } = await stage.test.app.opened()
    const [stored] = await store.jobs.find([made.id])
    if (!stored) throw new Error('The job is gone')
    const other = { ...stored, id: '0190a4b2-0000-7000-8000-00000000000a', name: 'of old', version: 1 }
    const definition = { ...stored.definition, jobType: 'antigo' }
    await store.jobs.put([{ job: { ...other, definition }, expectedVersion: null, ledger: [] }])
    expect((await stage.service.jobs.types(ana)).items).toMatchObject([
      { id: 'agora', isKnown: true, queue: 'slow', inputSchema: { type: 'string' }, jobCount: 1 },
      {
        id: 'antigo',
        isKnown: false,
        isDurable: null,
        isSensitive: null,
        queue: null,
        inputSchema: null,
        jobCount: 1,
      },
    ])
  })
})
