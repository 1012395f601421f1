import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  ana,
  dev,
  fields,
  manager,
  openStage,
  refusalOf,
  type Stage,
  somebody,
  stranger,
} from '../../../../test/http/service/stage.ts'
import type { Principal } from '../../../access/principal.ts'
import type { JobStore } from '../../../store/jobs.ts'
import { memory } from '../../../store/memory/memory.ts'
import type { StoreSource, TenantStore } from '../../../store/store.ts'
import { StoreUnavailableError } from '../../../store/unavailable.ts'
import type { BulkAnswer } from '../../answers.ts'
import type { BulkRequest, BulkVerb } from '../../requests.ts'

const UNKNOWN = '01999999-0000-7000-8000-00000000dead'

let stage: Stage
let tag: string
let made = 0
beforeAll(async () => {
  stage = await openStage()
})
afterAll(async () => await stage[Symbol.asyncDispose]())
beforeEach(() => {
  made += 1
  tag = `bulk-${made}`
})

/** Jobs of a test, which all have its tag. */
async function make(count: number, change: Parameters<typeof fields>[0] = {}): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const name = `${tag} ${String(n).padStart(3, '0')}`
    ids.push((await stage.service.jobs.create(ana, fields({ name, tags: [tag], ...change }))).id)
  }
  return ids
}

async function ask(verb: BulkVerb, request: Partial<BulkRequest>, who: Principal = ana): Promise<BulkAnswer> {
  return await stage.service.jobs.bulk(who, { verb, dryRun: false, reason: null, ...request })
}

const matching = (q = '') => ({ query: { q: `tag:${tag} ${q}` } })

async function statusesOf(ids: readonly string[]): Promise<string[]> {
  return await Promise.all(ids.map(async (id) => (await stage.service.jobs.get(ana, id)).status))
}

const short = ({ failed, ...answer }: BulkAnswer) => ({
  ...answer,
  failed: failed.map(({ id, name, error }) => `${id} ${name} ${error.code}`),
})

describe('a dry run', () => {
  it('counts what matches, and what the verb applies to, and changes nothing', async () => {
    const ids = await make(7)
    await stage.service.jobs.pause(ana, ids[0] ?? '', { reason: null, until: null })
    const expected = { matched: 7, done: 0, failed: [], nextCursor: null }
    const sample = [0, 1, 2, 3, 4].map((n) => `${tag} 00${n}`)
    for (const [verb, applicable] of [
      ['pause', 6],
      ['resume', 1],
      ['execute', 7],
      ['delete', 7],
    ] as const) {
      expect(await ask(verb, { ...matching(), dryRun: true })).toEqual({ ...expected, applicable, sample })
    }
    expect(await statusesOf(ids)).toEqual(['PAUSED', ...Array.from({ length: 6 }, () => 'ACTIVE')])
  })

  it('counts those named that there are', async () => {
    const [first = '', second = ''] = await make(2)
    const { id: foreign } = await stage.service.jobs.create(stranger, fields())
    const request = { ids: [second, UNKNOWN, foreign, first, second.toUpperCase()], dryRun: true }
    expect(await ask('pause', request)).toMatchObject({
      matched: 2,
      applicable: 2,
      sample: [`${tag} 001`, `${tag} 000`],
    })
  })

  it('is for whoever may read jobs', async () => {
    await make(1)
    expect(await ask('delete', { ...matching(), dryRun: true }, manager)).toMatchObject({ matched: 1, applicable: 1 })
  })
})

describe('a verb over many jobs', () => {
  it('does fifty a call and goes on by cursor, whatever has become of those before', async () => {
    const ids = await make(120)
    const answers: BulkAnswer[] = []
    let cursor: string | undefined
    do {
      const answer = await ask('pause', { ...matching('status:active'), cursor })
      answers.push(answer)
      cursor = answer.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(answers.map(({ matched, done, applicable }) => [matched, done, applicable])).toEqual([
      [50, 50, null],
      [50, 50, null],
      [20, 20, null],
    ])
    expect(new Set(await statusesOf(ids))).toEqual(new Set(['PAUSED']))
  })

  it('goes through those named in their order', async () => {
    const ids = await make(60)
    const first = await ask('delete', { ids })
    expect(first).toMatchObject({ matched: 50, done: 50, failed: [] })
    const rest = await ask('delete', { ids, cursor: first.nextCursor ?? '' })
    expect(rest).toMatchObject({ matched: 10, done: 10, nextCursor: null })
    expect(new Set(await statusesOf(ids))).toEqual(new Set(['DELETED']))
  })

  it('tells what each job refuses beside what was done', async () => {
    const [active = '', paused = ''] = await make(2)
    await stage.service.jobs.pause(ana, paused, { reason: null, until: null })
    const { id: foreign } = await stage.service.jobs.create(stranger, fields())
    expect(short(await ask('pause', { ids: [active, paused, UNKNOWN, foreign] }))).toEqual({
      matched: 4,
      applicable: null,
      done: 1,
      failed: [`${paused} ${tag} 001 job.status_conflict`, `${UNKNOWN} null not_found`, `${foreign} null forbidden`],
      nextCursor: null,
    })
  })

  it('resumes, with a reason pauses, and runs each job once for a request that is sent twice', async () => {
    const ids = await make(3)
    await ask('pause', { ...matching(), reason: 'holidays' })
    expect((await stage.service.jobs.get(ana, ids[0] ?? '')).statusReason).toBe('holidays')
    await ask('resume', matching())
    expect(new Set(await statusesOf(ids))).toEqual(new Set(['ACTIVE']))
    const id = stage.test.app.env.uuid(stage.test.app.env.now())
    for (const _ of [1, 2]) expect(await ask('execute', { ...matching(), id })).toMatchObject({ done: 3, failed: [] })
    const history = { limit: 10, archived: false }
    for (const jobId of ids) expect((await stage.service.jobs.history(ana, jobId, history)).items).toHaveLength(1)
    expect(await ask('execute', matching())).toMatchObject({ done: 3 })
    expect((await stage.service.jobs.history(ana, ids[0] ?? '', history)).items).toHaveLength(2)
  })

  it('writes an audit entry for each job', async () => {
    const ids = await make(2)
    await ask('pause', { ids }, dev)
    const entries = await stage.service.audit.list(ana, { limit: 2, operation: ['JOBS_JOB_PAUSE'] })
    expect(entries.items.map(({ jobId, userId }) => [jobId, userId])).toEqual(
      ids.toReversed().map((id) => [id, 'davi']),
    )
  })

  it('cannot be asked of jobs that wait for a yes to run', async () => {
    const [id = ''] = await make(1, { jobType: 'DeletarDadosObsoletos' })
    expect(short(await ask('execute', { ids: [id] })).failed).toEqual([`${id} ${tag} 000 job.status_conflict`])
  })
})

describe('a store that goes away in the middle', () => {
  /** A memory store that takes so many changes of jobs, and then none. */
  function failing(room: { left: number }): StoreSource {
    const source = memory()
    const limited = <Store extends TenantStore>(store: Store): Store => ({
      ...store,
      jobs: {
        ...store.jobs,
        put: async (changes) => {
          room.left -= 1
          if (room.left < 0) throw new StoreUnavailableError('store.unavailable', 'It is away.')
          return await store.jobs.put(changes)
        },
      } satisfies JobStore,
    })
    return {
      kind: source.kind,
      open: async (surroundings) => {
        const store = await source.open(surroundings)
        return { ...limited(store), forTenant: (tenant) => limited(store.forTenant(tenant)) }
      },
    }
  }

  it('is told what was done, and where to go on', async () => {
    const room = { left: 1_000 }
    await using own = await openStage({ store: failing(room) })
    const { jobs } = own.service
    for (const name of ['job a', 'job b', 'job c']) await jobs.create(ana, fields({ name }))
    const request = { verb: 'pause', query: {}, dryRun: false, reason: null } as const
    room.left = 0
    expect(await refusalOf(jobs.bulk(ana, request))).toBe('StoreUnavailableError store.unavailable')
    room.left = 2
    const first = await jobs.bulk(ana, request)
    expect(first).toMatchObject({ matched: 2, done: 2, failed: [], nextCursor: expect.any(String) as string })
    room.left = 1_000
    const rest = await jobs.bulk(ana, { ...request, cursor: first.nextCursor ?? '' })
    expect(rest).toMatchObject({ matched: 1, done: 1, failed: [], nextCursor: null })
  })
})

describe('what is refused', () => {
  it.each<[string, Partial<BulkRequest>, unknown]>([
    ['nothing named', {}, { '/ids': 'required' }],
    ['both', { ids: [UNKNOWN], query: {} }, { '/query': 'contradiction' }],
    ['an id that is none', { ids: ["' or 1=1"] }, 'InvalidInputError id.invalid'],
    ['a search that is none', { query: { q: 'stauts:x' } }, { '/query/q': 'search_invalid' }],
    ['a cursor of nobody', { query: {}, cursor: 'x' }, 'InvalidInputError invalid_cursor'],
    ['a reason that cannot be kept', { query: {}, reason: '\u0000' }, { '/reason': 'characters_forbidden' }],
  ])('%s', async (_case, request, expected) => {
    expect(await refusalOf(ask('pause', request))).toEqual(expected)
  })

  it('a cursor of another question', async () => {
    const ids = await make(51)
    const { nextCursor } = await ask('pause', matching())
    const cursor = nextCursor ?? ''
    const invalid = 'InvalidInputError invalid_cursor'
    expect(await refusalOf(ask('delete', { ...matching(), cursor }))).toBe(invalid)
    expect(await refusalOf(ask('pause', { ...matching('status:active'), cursor }))).toBe(invalid)
    expect(await refusalOf(ask('pause', { ids, cursor }))).toBe(invalid)
    expect(await refusalOf(ask('pause', { ...matching(), cursor }, stranger))).toBe(invalid)
    expect(await refusalOf(ask('pause', { ...matching(), cursor }, somebody('zoe')))).toBe('accepted')
  })
})
