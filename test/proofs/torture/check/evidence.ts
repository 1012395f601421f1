import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Answered, Asked, Effect, Line, Sample, Strike } from '../history/lines.ts'
import { wallClock } from '../history/wall-clock.ts'
import { readWorld, type WorldFile } from '../history/world-file.ts'
import { grouped } from './grouped.ts'
import type { AttemptRow, ChangeRow, EntryRow, ExecutionRow, ResultRow, Rows, TableName } from './rows.ts'

/** A request, with what came of it: null where its client was gone before anybody knew. */
export interface Request {
  readonly asked: Asked
  readonly answered: Answered | null
}

/** All that is left of a run. Nobody else is asked: what the product says of itself is only evidence where it is a row. */
export interface Evidence {
  readonly world: WorldFile
  readonly tables: { readonly [Name in TableName]: readonly Rows[Name][] }
  /** In the order of time, as all lines here. */
  readonly effects: readonly Effect[]
  readonly requests: readonly Request[]
  readonly strikes: readonly Strike[]
  readonly samples: readonly Sample[]
  readonly executions: ReadonlyMap<string, ExecutionRow>
  readonly ends: ReadonlyMap<string, readonly ResultRow[]>
  readonly attemptsOf: ReadonlyMap<string, readonly AttemptRow[]>
  readonly historyOf: ReadonlyMap<string, readonly EntryRow[]>
  readonly changesOf: ReadonlyMap<string, readonly ChangeRow[]>
  readonly effectsOf: ReadonlyMap<string, readonly Effect[]>
  /** Who a node is, by the id under which the store knows it: the `by` of its lines. */
  readonly nodeNames: ReadonlyMap<string, string>
  /** Epoch milliseconds of an instant of the lines. */
  readonly wall: (at: number) => number
}

const TABLES: readonly TableName[] = [
  'executions',
  'ready',
  'delayed',
  'leases',
  'results',
  'attempts',
  'occurrences',
  'missed',
  'jobs',
  'nodes',
  'signals',
  'history',
  'audit',
  'heads',
  'keys',
  'bookings',
  'changes',
]

/** Reads `world.json`, the lines of all processes and `database/*.jsonl` of a folder. */
export async function readEvidence(folder: string): Promise<Evidence> {
  const world = readWorld(folder)
  const lines = await readLines(folder)
  const tables = await readTables(join(folder, 'database'))
  return evidenceOf(world, lines, tables)
}

export function evidenceOf(world: WorldFile, lines: readonly Line[], tables: Evidence['tables']): Evidence {
  const inOrder = lines.toSorted((a, b) => a.at - b.at)
  const effects = inOrder.filter((line) => line.kind === 'effect')
  const answers = new Map(inOrder.filter((line) => line.kind === 'answered').map((each) => [each.request, each]))
  const changes = tables.changes.filter((change) => 'executionId' in change && change.executionId !== null)
  return {
    world,
    tables,
    effects,
    requests: inOrder
      .filter((line) => line.kind === 'asked')
      .map((asked) => ({ asked, answered: answers.get(asked.request) ?? null })),
    strikes: inOrder.filter((line) => line.kind === 'strike'),
    samples: inOrder.filter((line) => line.kind === 'sample'),
    executions: new Map(tables.executions.map((row) => [row.id, row])),
    ends: grouped(tables.results, ({ executionId }) => executionId),
    attemptsOf: grouped(tables.attempts, ({ executionId }) => executionId),
    historyOf: grouped(tables.history, ({ executionId }) => executionId),
    changesOf: grouped(changes, (change) => (change as { executionId: string }).executionId),
    effectsOf: grouped(effects, ({ executionId }) => executionId),
    nodeNames: new Map(
      tables.changes.filter((change) => change.kind === 'joined').map(({ nodeId, detail }) => [nodeId, detail.name]),
    ),
    wall: wallClock(
      world.wallMinusMachineMs,
      inOrder.filter((line) => line.kind === 'clock'),
    ),
  }
}

async function readLines(folder: string): Promise<Line[]> {
  const lines: Line[] = []
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
    for await (const line of readJsonLines(join(folder, file))) lines.push(line as Line)
  }
  return lines
}

async function readTables(folder: string): Promise<Evidence['tables']> {
  const tables: Partial<Record<TableName, unknown[]>> = {}
  for (const table of TABLES) {
    const path = join(folder, `${table}.jsonl`)
    if (!existsSync(path)) throw new Error(`${path} is missing: nobody can tell what was in that table.`)
    const rows: unknown[] = []
    for await (const row of readJsonLines(path)) rows.push(row)
    tables[table] = rows
  }
  return tables as unknown as Evidence['tables']
}

/** Each line of a file. A process that was killed while it wrote leaves its last one cut off: that one is left out, and any other that cannot be read is an error. */
async function* readJsonLines(path: string): AsyncGenerator<unknown> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
  let unreadable: string | null = null
  for await (const text of lines) {
    if (text === '') continue
    if (unreadable !== null) throw new Error(`${path} holds a line that is no JSON: ${unreadable.slice(0, 200)}`)
    const line = parse(text)
    if (line === undefined) unreadable = text
    else yield line
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
