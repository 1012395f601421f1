import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OverrideOptions } from '../../../src/engine/app/cron-overrides.ts'
import type { Job } from '../../../src/job/job.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { testPontual } from '../../../src/testing.ts'
import { cron, simple, type Trigger, withJitter } from '../../../src/time.ts'
import { at } from '../../harness/instants.ts'
import { recording } from './observed.ts'
import { type RecordedLine, RecordedLog } from './recorded.ts'

const START = at('2026-03-02T10:00:00Z')
const CODE = cron('0 3 * * *', { timeZone: 'America/Sao_Paulo' })

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pontual-overrides-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** A file of the configuration, with this content. */
function fileOf(content: unknown): string {
  const path = join(directory, 'pontual.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

interface Started {
  readonly job: Job
  readonly expression: unknown
  readonly errors: RecordedLine[]
}

/** A start of an application that declares one job, and what became of it. */
async function startWith(
  overrides: OverrideOptions,
  {
    name = 'nightly',
    trigger = CODE,
    store = memory(),
  }: { name?: string; trigger?: Trigger; store?: StoreSource } = {},
): Promise<Started> {
  const { logger, lines } = new RecordedLog()
  const { type } = recording('nightly', { name, trigger, timeout: '5m' })
  await using test = await testPontual({ store, jobs: [type], startAt: START, overrides, logger })
  const job = await test.app.job(name)
  if (!job) throw new Error('The job is missing.')
  const { trigger: stored } = job.definition
  const expression = 'expression' in stored ? stored.expression : null
  return { job, expression, errors: lines.filter(({ level }) => level === 'error') }
}

describe('the cron of a declared job', () => {
  it('is that of the code without an override', async () => {
    const { expression, errors } = await startWith({ env: {} })
    expect([expression, errors]).toEqual(['0 3 * * *', []])
  })

  it.each<[string, string]>([
    ['nightly', 'PONTUAL_JOBS__NIGHTLY__CRON'],
    ['nightly-report', 'PONTUAL_JOBS__NIGHTLY_REPORT__CRON'],
    ['Nightly Report 2', 'PONTUAL_JOBS__NIGHTLY_REPORT_2__CRON'],
  ])('of %s comes from the variable %s', async (name, variable) => {
    const { expression, errors } = await startWith({ env: { [variable]: '*/15 * * * *' } }, { name })
    expect([expression, errors]).toEqual(['*/15 * * * *', []])
  })

  it('comes from the file', async () => {
    const file = fileOf({ jobs: { nightly: { cron: '0 4 * * *' }, other: { cron: 'abc' } } })
    const { expression, errors } = await startWith({ file, env: {} })
    expect([expression, errors]).toEqual(['0 4 * * *', []])
  })

  it('comes from the file that PONTUAL_CONFIG names', async () => {
    const file = fileOf({ jobs: { nightly: { cron: '0 4 * * *' } } })
    expect((await startWith({ env: { PONTUAL_CONFIG: file } })).expression).toBe('0 4 * * *')
  })

  it('comes from the variable before the file, and from the file before the code', async () => {
    const file = fileOf({ jobs: { nightly: { cron: '0 4 * * *' } } })
    const env = { PONTUAL_JOBS__NIGHTLY__CRON: '0 5 * * *' }
    expect((await startWith({ file, env })).expression).toBe('0 5 * * *')
    expect((await startWith({ file, env: {} })).expression).toBe('0 4 * * *')
    expect((await startWith({ env: {} })).expression).toBe('0 3 * * *')
  })

  it('alone is overridden: zone, timeout and all else stay', async () => {
    const file = fileOf({ jobs: { nightly: { cron: '0 4 * * *', timeZone: 'UTC', timeout: '1h', name: 'x' } } })
    const plain = await startWith({ env: {} })
    const { job } = await startWith({ file, env: {} })
    expect(job.definition).toEqual({
      ...plain.job.definition,
      trigger: { ...plain.job.definition.trigger, expression: '0 4 * * *' },
    })
    expect(job.schedule.nextFireAt).toBe(at('2026-03-03T07:00:00Z'))
  })

  it('changes with the override, moves the next fire, and goes back with it', async () => {
    const store = memory()
    const first = await startWith({ env: {} }, { store })
    const second = await startWith({ env: { PONTUAL_JOBS__NIGHTLY__CRON: '0 8 * * *' } }, { store })
    const same = await startWith({ env: { PONTUAL_JOBS__NIGHTLY__CRON: '0 8 * * *' } }, { store })
    const third = await startWith({ env: {} }, { store })
    expect([first, second, same, third].map(({ job }) => job.version)).toEqual([1, 2, 2, 3])
    expect(second.job.schedule.nextFireAt).toBe(at('2026-03-02T11:00:00Z'))
    expect(third.job.schedule.nextFireAt).toBe(first.job.schedule.nextFireAt)
  })

  it('of a job scheduled at run time is nobody else’s business', async () => {
    const env = { PONTUAL_JOBS__EXTRA__CRON: '0 8 * * *' }
    await using test = await testPontual({ startAt: START, overrides: { env } })
    const extra = await test.app.schedule('nightly', { name: 'extra', trigger: CODE })
    expect(extra.definition.trigger).toEqual(CODE.toJSON())
  })
})

describe('an override that is no use', () => {
  it.each<[string, unknown]>([
    ['four fields', '2 0 * *'],
    ['a minute of 60', '60 * * * *'],
    ['a word', 'abc'],
    ['nothing', ''],
    ['a number', 5],
    ['null', null],
    ['a list', ['0 3 * * *']],
  ])('as a file holds it (%s) is an error in the log, and the code is used', async (_what, value) => {
    const file = fileOf({ jobs: { nightly: { cron: value } } })
    const { expression, errors } = await startWith({ file, env: {} })
    expect(expression).toBe('0 3 * * *')
    expect(errors).toMatchObject([
      {
        message: 'The override of a cron is invalid, the cron of the code is used',
        fields: { job: 'nightly', source: `${file}: jobs.nightly.cron`, error: expect.any(Error) as unknown },
      },
    ])
  })

  it('as a variable holds it is an error that names the variable', async () => {
    const { expression, errors } = await startWith({ env: { PONTUAL_JOBS__NIGHTLY__CRON: '75 3 * * *' } })
    expect(expression).toBe('0 3 * * *')
    expect(errors).toMatchObject([{ fields: { job: 'nightly', source: 'PONTUAL_JOBS__NIGHTLY__CRON' } }])
    expect(String(errors[0]?.fields['error'])).toMatch(/minute/i)
  })

  it('does not stop other jobs from starting', async () => {
    const { logger } = new RecordedLog()
    const other = recording('other', { trigger: cron('* * * * *') })
    const { type } = recording('nightly', { trigger: CODE })
    const overrides = { env: { PONTUAL_JOBS__NIGHTLY__CRON: 'abc' } }
    await using test = await testPontual({ jobs: [type, other.type], startAt: START, overrides, logger })
    await test.advance('1m')
    expect(other.runs).toHaveLength(1)
  })

  it('for a job without a cron is an error, and the code is used', async () => {
    const trigger = simple({ startAt: START, interval: '1h' })
    const { job, errors } = await startWith({ env: { PONTUAL_JOBS__NIGHTLY__CRON: '0 5 * * *' } }, { trigger })
    expect(job.definition.trigger).toEqual(trigger.toJSON())
    expect(errors).toHaveLength(1)
    expect(String(errors[0]?.fields['error'])).toContain('Only a cron can be overridden')
  })

  it('a cron with jitter is a cron', async () => {
    const trigger = withJitter(cron('0 3 * * *'), { within: '5m', identity: 'nightly' })
    const { job, errors } = await startWith({ env: { PONTUAL_JOBS__NIGHTLY__CRON: '0 5 * * *' } }, { trigger })
    expect(errors).toEqual([])
    expect(job.definition.trigger).toEqual(
      withJitter(cron('0 5 * * *'), { within: '5m', identity: 'nightly' }).toJSON(),
    )
  })
})

describe('a file that cannot be used', () => {
  it.each<[string, string | null]>([
    ['does not exist', null],
    ['is no JSON', '{ jobs: '],
    ['holds a list of jobs', JSON.stringify({ jobs: [] })],
    ['holds a word for jobs', JSON.stringify({ jobs: 'nightly' })],
  ])('because it %s is an error in the log, and the code is used', async (_why, content) => {
    const file = content === null ? join(directory, 'missing.json') : fileOf(content)
    const { expression, errors } = await startWith({ file, env: {} })
    expect(expression).toBe('0 3 * * *')
    expect(errors).toMatchObject([
      { message: 'The configuration file cannot be read, the code is used as it is', fields: { file } },
    ])
  })

  it('because it is a directory is the same', async () => {
    const { expression, errors } = await startWith({ file: directory, env: {} })
    expect([expression, errors.length]).toEqual(['0 3 * * *', 1])
  })

  it.each<[unknown]>([
    [{}],
    [[]],
    [null],
    ['text'],
    [{ jobs: {} }],
    [{ jobs: { nightly: {} } }],
    [{ jobs: { nightly: null } }],
  ])('%j overrides nothing and is no error', async (content) => {
    const { expression, errors } = await startWith({ file: fileOf(JSON.stringify(content)), env: {} })
    expect([expression, errors]).toEqual(['0 3 * * *', []])
  })

  it('does not hide the variables', async () => {
    const env = { PONTUAL_JOBS__NIGHTLY__CRON: '0 5 * * *' }
    const { expression, errors } = await startWith({ file: join(directory, 'missing.json'), env })
    expect([expression, errors.length]).toEqual(['0 5 * * *', 1])
  })
})
