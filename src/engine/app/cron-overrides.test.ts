import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { RecordedLog } from '../../../test/suites/scenarios/recorded.ts'
import { silentLogger } from '../../logger.ts'
import { cron } from '../../time/triggers/cron.ts'
import { once } from '../../time/triggers/once.ts'
import { overriddenTrigger, readOverrides, variableOf } from './cron-overrides.ts'

const folder = mkdtempSync(join(tmpdir(), 'pontual-overrides-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileOf(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('the variable of a job', () => {
  it.each([
    ['nightly', 'PONTUAL_JOBS__NIGHTLY__CRON'],
    ['close-month', 'PONTUAL_JOBS__CLOSE_MONTH__CRON'],
    ['Close the month 2', 'PONTUAL_JOBS__CLOSE_THE_MONTH_2__CRON'],
    ['año', 'PONTUAL_JOBS__A_O__CRON'],
  ])('%s is %s', (name, variable) => {
    expect(variableOf(name)).toBe(variable)
  })
})

describe('an override', () => {
  const file = fileOf('jobs.json', { jobs: { nightly: { cron: '0 4 * * *' }, odd: { cron: 5 }, empty: {}, flat: 'x' } })

  it.each<[string, Parameters<typeof readOverrides>[0], string, object | null]>([
    ['is in the file', { file, env: {} }, 'nightly', { expression: '0 4 * * *', source: `${file}: jobs.nightly.cron` }],
    [
      'is in a variable, which goes before the file',
      { file, env: { PONTUAL_JOBS__NIGHTLY__CRON: '0 5 * * *' } },
      'nightly',
      { expression: '0 5 * * *', source: 'PONTUAL_JOBS__NIGHTLY__CRON' },
    ],
    ['is in the file that a variable names', { env: { PONTUAL_CONFIG: file } }, 'nightly', { expression: '0 4 * * *' }],
    ['is there though it is no text', { file, env: {} }, 'odd', { expression: 5 }],
    ['is not there for another job', { file, env: {} }, 'weekly', null],
    ['is not there without a cron', { file, env: {} }, 'empty', null],
    ['is not there where the entry is no object', { file, env: {} }, 'flat', null],
    ['is not there for names of the prototype', { file, env: {} }, 'constructor', null],
    ['is not there without file and variables', { env: {} }, 'nightly', null],
  ])('%s', (_what, options, jobName, expected) => {
    const found = readOverrides(options, silentLogger)(jobName)
    if (expected === null) expect(found).toBeNull()
    else expect(found).toMatchObject(expected)
  })

  it.each<[string, string]>([
    ['does not exist', join(folder, 'missing.json')],
    ['is no JSON', fileOf('broken.json', '{')],
    ['holds a list of jobs', fileOf('list.json', { jobs: [] })],
    ['holds no object of jobs', fileOf('text.json', { jobs: 'x' })],
    ['is a folder', folder],
  ])('from a file that %s is an error in the log, and none is found', (_what, path) => {
    const log = new RecordedLog()
    expect(readOverrides({ file: path, env: {} }, log.logger)('nightly')).toBeNull()
    expect(log.lines).toMatchObject([{ level: 'error', fields: { file: path, error: expect.any(Error) as Error } }])
  })

  it.each([['null'], ['[]'], ['{}'], ['7']])('from a file that holds %s is none', (content) => {
    const log = new RecordedLog()
    const path = fileOf('bare.json', content)
    expect(readOverrides({ file: path, env: {} }, log.logger)('nightly')).toBeNull()
    expect(log.lines).toEqual([])
  })
})

describe('a declared trigger', () => {
  const declared = cron('0 3 * * *', { timeZone: 'America/Sao_Paulo' })

  it('is the code’s where there is no override', () => {
    expect(overriddenTrigger('nightly', declared, null, silentLogger)).toEqual({ trigger: declared, override: null })
  })

  it('has another cron where there is one; its time zone stays', () => {
    const wanted = { expression: '30 4 * * *', source: 'test' }
    const { trigger, override } = overriddenTrigger('nightly', declared, wanted, silentLogger)
    expect(trigger.toJSON()).toEqual({ ...declared.toJSON(), expression: '30 4 * * *' })
    expect(override).toEqual({ ...wanted, codeExpression: '0 3 * * *' })
  })

  it.each<[string, unknown]>([
    ['invalid', '61 * * * *'],
    ['empty', ''],
    ['no text', 5],
    ['null', null],
  ])('is the code’s where the override is %s, and that is an error in the log', (_what, expression) => {
    const log = new RecordedLog()
    const used = overriddenTrigger('nightly', declared, { expression, source: 'VARIABLE' }, log.logger)
    expect(used).toEqual({ trigger: declared, override: null })
    expect(log.lines).toMatchObject([{ level: 'error', fields: { job: 'nightly', source: 'VARIABLE' } }])
  })

  it('that is no cron cannot be overridden', () => {
    const log = new RecordedLog()
    const other = once('2030-01-01T00:00:00Z')
    const used = overriddenTrigger('nightly', other, { expression: '0 3 * * *', source: 'x' }, log.logger)
    expect(used).toEqual({ trigger: other, override: null })
    expect(log.lines).toMatchObject([{ level: 'error', fields: { error: { code: 'override.not_cron' } } }])
  })
})
