import { openSync, writeSync } from 'node:fs'
import { type PontualOptions, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { fiftyActivities } from './fifty-activities.ts'

/** A node in a process of its own, which runs `fifty-activities` until it is killed and tells of each effect in a file that all nodes share. */
const { url, effects, ...options } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly url: string
  readonly effects: string
} & Partial<PontualOptions>

// What was written is in the file, however the process ends; lines of different processes do not mix.
const file = openSync(effects, 'a')
const run = fiftyActivities((effect) => writeSync(file, `${JSON.stringify(effect)}\n`))
const app = pontual({ store: postgres(url, { maxConnections: 4 }), jobs: [run], logger: 'silent', ...options })
process.stdin.on('end', () => process.exit()).resume()
await app.start()
process.stdout.write(`${JSON.stringify({ at: Date.now(), event: 'ready' })}\n`)
