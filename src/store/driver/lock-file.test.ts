import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { leaveOut } from '../../../test/harness/left-out.ts'
import { takeLock } from './lock-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'pontual-lock-'))
const path = join(folder, 'db.lock')

afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => rmSync(path, { force: true }))

/** A number no process has: the largest that Linux gives is 2^22. */
const NOBODY = 2 ** 22 + 1

/** Tells if the system reports when a process was started; only Linux does. */
function reportsStarts(): boolean {
  const isLinux = process.platform === 'linux'
  if (!isLinux) leaveOut('tests of locks whose holder is identified by its start', 'only Linux reports it')
  return isLinux
}

function readHolder(): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
}

describe('a lock', () => {
  it('names its holder and is gone when given back', () => {
    const giveBack = takeLock(path, 'It')
    expect(readHolder()).toMatchObject({ pid: process.pid, host: hostname() })
    giveBack()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is refused while its holder lives, with its number and what to do', () => {
    const giveBack = takeLock(path, 'The directory')
    expect(() => takeLock(path, 'The directory')).toThrow(
      `The directory is in use by process ${process.pid} on ${hostname()}`,
    )
    giveBack()
  })

  it.each([
    ['whose process is gone', (mine: object) => ({ ...mine, pid: NOBODY })],
    ['of before the machine was started', (mine: object) => ({ ...mine, boot: 'another' })],
  ])('%s is taken over', (_what, change) => {
    takeLock(path, 'It')
    writeFileSync(path, JSON.stringify(change(readHolder())))
    takeLock(path, 'It')()
    expect(readdirSync(folder)).toEqual([])
  })

  it.skipIf(!reportsStarts())('of one that is known to live is not to be removed', () => {
    const giveBack = takeLock(path, 'It')
    expect(() => takeLock(path, 'It')).toThrow(/stop that one, or use PostgreSQL for several\.$/)
    giveBack()
  })

  it.skipIf(!reportsStarts())('of an earlier process with the same number is taken over', () => {
    takeLock(path, 'It')
    writeFileSync(path, JSON.stringify({ ...readHolder(), start: '1' }))
    takeLock(path, 'It')()
  })

  it.each([
    ['of another machine', JSON.stringify({ pid: NOBODY, host: 'elsewhere', boot: null, start: null })],
    ['that cannot be read', 'half a'],
  ])('%s is refused', (_what, content) => {
    writeFileSync(path, content)
    expect(() => takeLock(path, 'It')).toThrow(/If it is certain that nobody has it open, remove/)
    expect(readFileSync(path, 'utf8')).toBe(content)
  })

  it('that somebody else holds by now is not taken away from him', () => {
    const giveBack = takeLock(path, 'It')
    writeFileSync(path, 'somebody else')
    giveBack()
    expect(readFileSync(path, 'utf8')).toBe('somebody else')
  })
})
