import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { LEFT_OUT_FILE, leftOutLine } from './left-out.ts'
import { ServerBroker } from './postgres/broker.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where to ask for a PostgreSQL server. */
    readonly postgresBroker: string
  }
}

/** Makes servers available to all test files; none is started before one asks. Prints at the end what was left out. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const broker = new ServerBroker()
  const folder = mkdtempSync(join(tmpdir(), 'pontual-left-out-'))
  const file = join(folder, 'left-out.txt')
  project.provide('postgresBroker', await broker.listen())
  process.env[LEFT_OUT_FILE] = file
  return async () => {
    const line = leftOutLine(file)
    rmSync(folder, { recursive: true, force: true })
    await broker.close()
    if (line !== null) process.stderr.write(`\n${line}\n\n`)
  }
}
