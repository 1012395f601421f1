import process from 'node:process'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startServer } from '../../harness/postgres/server.ts'
import type { Figure } from '../record/record.ts'
import { keepRecord } from '../record/record.ts'
import { closing } from './closing.ts'
import { flood } from './flood.ts'
import { openTransaction } from './open-transaction.ts'
import { CONTROLS, type Control, type Part, together, type Verdict } from './part.ts'
import { steady } from './steady.ts'
import { years } from './years.ts'

const PARTS: readonly Part[] = [steady, openTransaction, flood, years]
const DEFAULT_MINUTES = 30
/** The shortest in which memory and tables can be told from their warm-up. */
const LEAST_MINUTES = 1

interface Asked {
  readonly minutes: number
  readonly parts: readonly Part[]
  readonly control: Control | null
}

const asked = readArguments()
if (typeof asked === 'string') {
  console.error(asked)
  process.exitCode = 2
} else {
  process.exitCode = await soak(asked)
}

function readArguments(): Asked | string {
  let values: { minutes: string; only?: string; control?: string }
  try {
    ;({ values } = parseArgs({
      options: {
        minutes: { type: 'string', default: String(DEFAULT_MINUTES) },
        only: { type: 'string' },
        control: { type: 'string' },
        record: { type: 'boolean' },
      },
    }))
  } catch (error) {
    return (error as Error).message
  }
  const minutes = Number(values.minutes)
  if (!(minutes >= LEAST_MINUTES)) return `--minutes takes a number from ${LEAST_MINUTES} on, got "${values.minutes}".`
  const names = values.only?.split(',') ?? PARTS.map(({ name }) => name)
  const unknown = names.find((name) => !PARTS.some((part) => part.name === name))
  if (unknown !== undefined) return `No part "${unknown}". Known: ${PARTS.map(({ name }) => name).join(', ')}.`
  const control = CONTROLS.find((each) => each === values.control) ?? null
  if (values.control !== undefined && control === null) {
    return `No control "${values.control}". Known: ${CONTROLS.join(', ')}.`
  }
  return { minutes, parts: PARTS.filter(({ name }) => names.includes(name)), control }
}

async function soak({ minutes, parts, control }: Asked): Promise<number> {
  const startedAt = performance.now()
  const verdicts: Verdict[] = []
  await closing(async (atTheEnd) => {
    const server = await startSoakServer()
    atTheEnd(() => server.stop())
    for (const part of parts) {
      const url = await server.createDatabase(part.name)
      const verdict = await runPart(part, { url, minutes, control })
      await server.dropDatabase(part.name)
      printVerdict(part.name, verdict)
      verdicts.push(verdict)
    }
  })
  const { figures, faults, gaps } = together(verdicts)
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  // A control shows that a fault is seen, and nothing else.
  if (control === null) {
    const chosen = parts.length === PARTS.length ? '' : ` --only ${parts.map(({ name }) => name).join(',')}`
    const name = parts.length === PARTS.length ? 'soak' : `soak-${parts.map((part) => part.name).join('-')}`
    const command = `npm run soak -- --minutes ${minutes}${chosen}`
    keepRecord({ name, command, seconds, violations: faults.length, figures, gaps })
  }
  console.log(`\n${faults.length === 0 ? 'All held' : `${faults.length} did not hold`}, ${seconds} s.`)
  return faults.length === 0 ? 0 : 1
}

/** A part that ends early has not held. */
async function runPart(part: Part, around: Omit<Parameters<Part['run']>[0], 'say'>): Promise<Verdict> {
  try {
    return await part.run({ ...around, say: (line) => console.log(line) })
  } catch (error) {
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { figures: [], faults: [`${part.name} ended early: ${told}`], gaps: [] }
  }
}

/** What a part has shown, as a table, and in sentences what did not hold and what could not be said. */
function printVerdict(name: string, { figures, faults, gaps }: Verdict): void {
  console.log(`\n${name}`)
  const width = Math.max(0, ...figures.map(({ what }) => what.length))
  for (const figure of figures) {
    const value = `${figure.value.toLocaleString('en-US')} ${figure.unit ?? ''}`.trim()
    console.log(`  ${figure.what.padEnd(width)}  ${value.padStart(16)}  ${askedFor(figure)}`.trimEnd())
  }
  for (const gap of gaps) console.log(`  gap: ${gap}`)
  for (const fault of faults) console.log(`  FAULT: ${fault}`)
}

function askedFor({ atLeast, atMost }: Figure): string {
  if (atMost !== undefined) return `at most ${atMost.toLocaleString('en-US')}`
  return atLeast === undefined ? '' : `at least ${atLeast.toLocaleString('en-US')}`
}

/** A server with `fsync` on, and a database of its own for each part. */
async function startSoakServer() {
  const server = await startServer({ version: '18', isDurable: true })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  // In a run of minutes tables have to be looked at more often than once in one, or nothing would be seen to level off.
  await client.query(`alter system set autovacuum_naptime = '5s'`)
  await client.query('select pg_reload_conf()')
  return {
    createDatabase: async (name: string): Promise<string> => {
      await client.query(`create database "${name}"`)
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return url.href
    },
    dropDatabase: async (name: string): Promise<void> => {
      await client.query(`drop database "${name}" with (force)`)
    },
    stop: async (): Promise<void> => {
      await client.end()
      await server.stop()
    },
  }
}
