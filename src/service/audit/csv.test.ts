import { describe, expect, it } from 'vitest'
import type { AuditEntryView } from '../answers.ts'
import { CSV_HEAD, csvCell, csvRows } from './csv.ts'

describe('a cell', () => {
  it.each<[unknown, string]>([
    ['plain', 'plain'],
    ['', ''],
    [null, ''],
    [undefined, ''],
    [-5, '-5'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    [{ name: 'x' }, '"{""name"":""x""}"'],
    ['=cmd()', `"'=cmd()"`],
    ['+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@sum', `"'@sum"`],
    ['\t=cmd()', `"'\t=cmd()"`],
    ['\r=cmd()', `"'\r=cmd()"`],
    ['\n=cmd()', `"'\n=cmd()"`],
    ['  =cmd()', `"'  =cmd()"`],
    ['＝cmd()', `"'＝cmd()"`],
    ['=1,"a"', `"'=1,""a"""`],
    ['a=b', 'a=b'],
  ])('%j is written as %j', (value, cell) => {
    expect(csvCell(value)).toBe(cell)
  })
})

it('a row has as many cells as the head, and ends its line', () => {
  const entry: AuditEntryView = {
    sequence: 1,
    timestamp: '2026-03-11T12:00:00Z',
    operation: 'JOBS_JOB_UPDATE',
    operationType: 'UPDATE',
    userId: '=HYPERLINK("http://evil")',
    clienteId: 'acme',
    jobId: null,
    jobName: null,
    executionId: null,
    oldValues: null,
    newValues: { name: '=1' },
    previousHash: '00',
    hash: 'ff',
  }
  expect(CSV_HEAD).toBe(
    'sequence,timestamp,operation,operationType,userId,clienteId,jobId,executionId,oldValues,newValues,previousHash,hash\r\n',
  )
  expect(csvRows([entry, entry]).split('\r\n')).toEqual([
    `1,2026-03-11T12:00:00Z,JOBS_JOB_UPDATE,UPDATE,"'=HYPERLINK(""http://evil"")",acme,,,,"{""name"":""=1""}",00,ff`,
    `1,2026-03-11T12:00:00Z,JOBS_JOB_UPDATE,UPDATE,"'=HYPERLINK(""http://evil"")",acme,,,,"{""name"":""=1""}",00,ff`,
    '',
  ])
})
