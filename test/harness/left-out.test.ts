import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { leftOutLine } from './left-out.ts'

describe('what a run leaves out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pontual-left-out-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('is one line that names each part once, with its reason', () => {
    const file = join(folder, 'parts.txt')
    writeFileSync(file, 'tests of the dashboard (install Chromium)\na (b)\ntests of the dashboard (install Chromium)\n')
    expect(leftOutLine(file)).toBe('!!! LEFT OUT: a (b); tests of the dashboard (install Chromium)')
  })

  it('is no line if nothing is left out', () => {
    expect(leftOutLine(join(folder, 'none.txt'))).toBeNull()
  })
})
