import type pg from 'pg'
import type { ObservedPlan } from './observed-plan.ts'

/** PostgreSQL's default of `jit_above_cost`: a statement that is expected to cost more is compiled, which takes longer than to run it. */
const JIT_ABOVE_COST = 100_000

/** Tables that stay small, and may be read from end to end: settings of an installation, and one row for each node, rule or calendar. */
const SMALL: ReadonlySet<string> = new Set(['alert_rules', 'alert_watch', 'calendars', 'flags', 'nodes', 'settings'])

/** Statements that read a large table from end to end on purpose. */
const WHOLE_READS: Readonly<Record<string, readonly string[]>> = {
  // Leases are bounded by the slots of all nodes, and these count or number all of them.
  globalFigures: ['leases'],
  'alert_figures()': ['leases', 'tenants'],
  readHeld: ['leases'],
  listHeld: ['leases'],
}

/** A table with fewer rows than this is as well read from end to end. */
const MANY_ROWS = 1_000

export interface Limits {
  /** The highest cost that a statement may be estimated at. Default: JIT_ABOVE_COST. */
  readonly cost?: number
  /** How many rows one scan may read. Default: any number. */
  readonly rows?: number
}

/** The tables that hold many rows, and partitions that do. */
export async function largeTables(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'pontual'::regnamespace and relkind = 'r'`,
  )
  const large = new Set<string>()
  for (const { name } of tables) {
    if (SMALL.has(name)) continue
    const { rowCount } = await client.query(`select from pontual.${name} limit ${MANY_ROWS}`)
    if (rowCount === MANY_ROWS) large.add(name)
  }
  return large
}

/** What is wrong with plans, one line for each statement and fault. */
export function violationsOf(
  plans: readonly ObservedPlan[],
  large: ReadonlySet<string>,
  { cost = JIT_ABOVE_COST, rows = Number.POSITIVE_INFINITY }: Limits = {},
): readonly string[] {
  const found = new Set<string>()
  for (const plan of plans) {
    const report = (fault: string) => found.add(`${plan.name}: ${fault}, in ${excerptOf(plan.text)}`)
    if (plan.cost > cost) report(`is estimated to cost ${plan.cost.toPrecision(2)}`)
    if (plan.compiled > 0) report('is compiled')
    for (const scan of plan.scans) {
      if (!large.has(scan.table)) continue
      if (WHOLE_READS[plan.name]?.includes(scan.table)) continue
      if (scan.type === 'Seq Scan') report(`reads ${scan.table} from end to end`)
      else if (scan.rows > rows) report(`reads more than ${rows} rows of ${scan.table} (${scan.type})`)
    }
  }
  return [...found].sort()
}

function excerptOf(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > 120 ? `${line.slice(0, 117)}...` : line
}
