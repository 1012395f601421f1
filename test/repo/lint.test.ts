import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Sources that read the clock or draw a chance, one per line. */
const banned = [
  'export const a = new Date()',
  'export const a = Date()',
  'export const a = Date.now()',
  "export const a = Date['now']()",
  'export const { now } = Date',
  'export const a = setTimeout(() => {}, 1)',
  'export const a = setInterval(() => {}, 1)',
  'export const a = setImmediate(() => {})',
  'export const a = performance.now()',
  'export const a = process.hrtime.bigint()',
  'export const a = globalThis.Date.now()',
  "export { setTimeout } from 'node:timers/promises'",
  "import { setTimeout as sleep } from 'node:timers/promises'\nexport const a = sleep",
  'export const a = Math.random()',
  'export const a = crypto.randomUUID()',
  "import { randomUUID } from 'node:crypto'\nexport const a = randomUUID",
  "import * as chance from 'node:crypto'\nexport const a = chance.randomUUID()",
]

const allowed = [
  'export const a = new Date(0)',
  'export const a = Date.UTC(2026, 0)',
  "import { createHash } from 'node:crypto'\nexport const a = createHash",
]

const folder = mkdtempSync(join(tmpdir(), 'pontual-lint-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function runTool(path: string, ...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    const command = [join(root, 'node_modules', path), ...args]
    execFile(process.execPath, command, { cwd: folder }, (_error, stdout) => resolve(stdout))
  })
}

describe('the linter', () => {
  let complaints: string[]

  // One run for all rows: the linters take longer to start than to read.
  beforeAll(async () => {
    for (const name of ['biome.json', '.oxlintrc.json', 'lint']) {
      cpSync(join(root, name), join(folder, name), { recursive: true })
    }
    mkdirSync(join(folder, 'src'))
    const write = (name: string, text: string): void => writeFileSync(join(folder, 'src', name), `${text}\n`)
    for (const [row, text] of banned.entries()) {
      write(`banned-${row}.ts`, text)
      write(`banned-${row}.test.ts`, text)
    }
    for (const [row, text] of allowed.entries()) write(`allowed-${row}.ts`, text)
    write('clock.ts', 'export const a = [new Date(), Date.now(), setTimeout(() => {}), Math.random()]')

    const output = await Promise.all([
      runTool('@biomejs/biome/bin/biome', 'lint', '--max-diagnostics=none', '--reporter=github'),
      runTool('oxlint/bin/oxlint', '--format=github'),
    ])
    complaints = output
      .join('\n')
      .split('\n')
      .filter((line) => /plugin|no-restricted/.test(line))
  })

  const complaintsAbout = (name: string): string[] => complaints.filter((line) => line.includes(`src/${name},`))

  it.each(banned.map((text, row) => ({ text, row })))('bans in src: $text', ({ row }) => {
    expect(complaintsAbout(`banned-${row}.ts`)).not.toEqual([])
  })

  it.each(banned.map((text, row) => ({ text, row })))('allows in a test: $text', ({ row }) => {
    expect(complaintsAbout(`banned-${row}.test.ts`)).toEqual([])
  })

  it.each(allowed.map((text, row) => ({ text, row })))('allows in src: $text', ({ row }) => {
    expect(complaintsAbout(`allowed-${row}.ts`)).toEqual([])
  })

  it('allows clock and chance in clock.ts', () => {
    expect(complaintsAbout('clock.ts')).toEqual([])
  })
})
