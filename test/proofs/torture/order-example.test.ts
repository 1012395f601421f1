import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const SOURCES = new URL('./sources-as-package.mjs', import.meta.url).href
const EXAMPLE = fileURLToPath(new URL('../../../examples/durable-order/main.mjs', import.meta.url))
const ACTIVITIES = ['check-stock', 'reserve-stock', 'process-payment', 'confirm-order']

/** A database is made first, and opened twice. */
const LIMIT_MS = 180_000

it('the example of an order is killed while it pays, goes on, and does nothing twice that was done', {
  timeout: LIMIT_MS,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pontual-order-'))
  try {
    const first = start(folder, 1_000)
    await first.until((line) => line.includes('process-payment, attempt 1'))
    first.child.kill('SIGKILL')
    await first.ended
    const second = start(folder, 10)
    await second.ended
    const done = (lines: readonly string[]) =>
      ACTIVITIES.filter((name) => lines.some((line) => line === `  ${name}: done`))
    expect(first.errors.join('')).toBe('')
    expect(second.errors.join('')).toContain('"message":"execution.recovered"')
    expect(done(first.lines)).toEqual(['check-stock', 'reserve-stock'])
    expect(done(second.lines)).toEqual(['process-payment', 'confirm-order'])
    expect(second.lines.some((line) => line.startsWith('Order 4711: SUCCESS'))).toBe(true)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

interface Started {
  readonly child: ChildProcess
  readonly lines: string[]
  /** Parts of what it wrote to standard error. */
  readonly errors: string[]
  readonly ended: Promise<void>
  until(isThere: (line: string) => boolean): Promise<void>
}

function start(folder: string, paceMs: number): Started {
  const env = { ...process.env, ORDER_FOLDER: join(folder, 'data'), ORDER_PACE_MS: String(paceMs) }
  const child = spawn(process.execPath, ['--import', SOURCES, EXAMPLE], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  const errors: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text))
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const until = (isThere: (line: string) => boolean) =>
    new Promise<void>((resolve, reject) => {
      if (lines.some(isThere)) resolve()
      reader.on('line', (line) => {
        if (isThere(line)) resolve()
      })
      void ended.then(() => reject(new Error(`It ended before: ${lines.join('\n')}\n${errors.join('')}`)))
    })
  return { child, lines, errors, ended, until }
}
