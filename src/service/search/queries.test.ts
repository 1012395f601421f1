import { describe, expect, it } from 'vitest'
import { InvalidFieldsError } from '../errors.ts'
import { sayField } from '../i18n/say.ts'
import { type ExecutionQuery, type JobQuery, readExecutionQuery, readJobQuery } from './queries.ts'

const NOW = Date.UTC(2026, 2, 11, 12)
const [HOUR, DAY] = [3_600_000, 86_400_000]

/** Without what does not matter. */
const said = (query: object) => Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))

describe('a search for jobs', () => {
  it.each<[string | undefined, JobQuery]>([
    [undefined, {}],
    ['', { text: '' }],
    ['daily close', { text: 'daily close' }],
    ['  daily  close ', { text: '  daily  close ' }],
    ['"daily close"', { text: 'daily close' }],
    ['"status:failed"', { text: 'status:failed' }],
    ['""', {}],
    ['daily tag:x close', { text: 'daily close', tags: ['x'] }],
    ['tag:x,"two words" TAG:y', { tags: ['x', 'two words', 'y'] }],
    ['type:Import,Close', { jobTypes: ['Import', 'Close'] }],
    ['priority:high,LOW', { priorities: ['HIGH', 'LOW'] }],
    ['status:paused', { statuses: ['PAUSED'] }],
    ['status:Pending_Approval status:deleted', { statuses: ['PENDING_APPROVAL', 'DELETED'] }],
    ['status:failed', { ran: { statuses: ['FAILED'] } }],
    ['status:failed,timeout after:2d', { ran: { statuses: ['FAILED', 'TIMEOUT'], from: NOW - 2 * DAY } }],
    ['status:paused,failed', { statuses: ['PAUSED'], ran: { statuses: ['FAILED'] } }],
    ['status:paused after:12h', { statuses: ['PAUSED'], ran: { from: NOW - 12 * HOUR } }],
    ['after:30m', { ran: { from: NOW - HOUR / 2 } }],
    ['after:7d before:1h30m', { ran: { from: NOW - 7 * DAY, until: NOW - 1.5 * HOUR } }],
    ['after:2d,5d', { ran: { from: NOW - 5 * DAY } }],
    ['before:2d before:5d', { ran: { until: NOW - 2 * DAY } }],
    ['after:2026-01-31', { ran: { from: Date.UTC(2026, 0, 31) } }],
    ['before:2026-01-31T09:00:00+02:00', { ran: { until: Date.UTC(2026, 0, 31, 7) } }],
    ['before:2026-01-31t09:00:00z', { ran: { until: Date.UTC(2026, 0, 31, 9) } }],
    ['after:100y', { ran: { from: 0 } }],
    ['after:1969-12-31', { ran: { from: 0 } }],
    [
      'status:failed tag:x after:2d closing',
      { text: 'closing', tags: ['x'], ran: { statuses: ['FAILED'], from: NOW - 2 * DAY } },
    ],
  ])('%j', (query, expected) => {
    expect(said(readJobQuery(query, NOW))).toEqual(expected)
  })
})

describe('a search for executions', () => {
  it.each<[string | undefined, ExecutionQuery]>([
    [undefined, {}],
    ['connection refused', { text: 'connection refused' }],
    ['status:failed,RUNNING', { statuses: ['FAILED', 'RUNNING'] }],
    ['type:Import job:closing,"Daily close"', { jobTypes: ['Import'], jobs: ['closing', 'Daily close'] }],
    ['tag:x "no: such file"', { tags: ['x'], text: 'no: such file' }],
    ['after:1d before:1h', { from: NOW - DAY, until: NOW - HOUR }],
  ])('%j', (query, expected) => {
    expect(said(readExecutionQuery(query, NOW))).toEqual(expected)
  })
})

describe('what is not understood is told, in each language', () => {
  const STATUSES =
    'ACTIVE, PAUSED, DISABLED, FAULTED, PENDING_APPROVAL, APPROVED, DELETED, QUEUED, RUNNING, WAITING, DIVERGED, SUCCESS, FAILED, TIMEOUT'
  const EN = 'What stands in quotes is looked for as text.'
  const PT = 'O que está entre aspas é procurado como texto.'
  it.each<[string, (query: string, now: number) => unknown, string, string]>([
    [
      'stauts:failed',
      readJobQuery,
      `There is no search key "stauts"; there are status, tag, type, priority, after, before. Did you mean "status"? ${EN}`,
      `Não existe a chave de busca "stauts"; existem status, tag, type, priority, after e before. Você quis dizer "status"? ${PT}`,
    ],
    [
      'job:x',
      readJobQuery,
      `There is no search key "job"; there are status, tag, type, priority, after, before. ${EN}`,
      `Não existe a chave de busca "job"; existem status, tag, type, priority, after e before. ${PT}`,
    ],
    [
      'priority:urgent',
      readJobQuery,
      `priority: must be one of HIGH, MEDIUM, LOW, got "urgent". ${EN}`,
      `priority: deve ser HIGH, MEDIUM ou LOW, recebido "urgent". ${PT}`,
    ],
    [
      'status:ok',
      readJobQuery,
      `status: must be one of ${STATUSES}, CANCELLED, got "ok". ${EN}`,
      `status: deve ser ${STATUSES} ou CANCELLED, recebido "ok". ${PT}`,
    ],
    [
      'tag:',
      readJobQuery,
      `tag: needs a value right behind the colon. ${EN}`,
      `tag: falta o valor logo depois dos dois-pontos. ${PT}`,
    ],
    [
      'after:yesterday',
      readExecutionQuery,
      `after: must be a duration such as 2d, 12h or 30m, a date such as 2026-01-31, or an instant such as 2026-01-31T09:00:00Z, got "yesterday". ${EN}`,
      `after: deve ser uma duração como 2d, 12h ou 30m, uma data como 2026-01-31 ou um instante como 2026-01-31T09:00:00Z, recebido "yesterday". ${PT}`,
    ],
  ])('%s', (query, read, english, portuguese) => {
    const [problem, ...others] = problemsOf(() => read(query, NOW))
    expect(others).toEqual([])
    expect(problem && sayField('en', problem)).toEqual({ pointer: '/q', code: 'search_invalid', message: english })
    expect(problem && sayField('pt-BR', problem).message).toBe(portuguese)
  })

  it.each([
    'http://example.com',
    'status:PAUSED,nothing',
    'tag:x,',
    'status:',
    'after:2026-02-30',
    'after:2026-01-31T09:00:00',
    'before:5',
    'before:-2d',
    'after:99999999999999999999d',
    'priority:%',
    "status:' or 1=1 --",
    `after:${'9'.repeat(200)}`,
  ])('%s', (query) => {
    expect(problemsOf(() => readJobQuery(query, NOW))).toMatchObject([{ pointer: '/q', code: 'search_invalid' }])
  })

  function problemsOf(read: () => unknown) {
    try {
      read()
    } catch (error) {
      if (error instanceof InvalidFieldsError) return error.problems
      throw error
    }
    throw new Error('It was understood.')
  }
})
