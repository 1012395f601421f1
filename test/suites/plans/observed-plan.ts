import type pg from 'pg'
import { PgSession } from '../../../src/store/driver/pg-session.ts'
import { listenToNotices, reportPlans } from '../../harness/postgres/auto-explain.ts'

/** The plan of one execution of a statement: of one that the store sent, or of one inside a function. */
export interface ObservedPlan {
  /** The statement's name, or the functions that contain it. */
  readonly name: string
  readonly text: string
  readonly cost: number
  /** How many functions the server compiled for it. */
  readonly compiled: number
  readonly scans: readonly Scan[]
}

interface Scan {
  readonly type: string
  readonly table: string
  /** How many rows it read, including those that a filter rejected. */
  readonly rows: number
}

interface FunctionSource {
  readonly name: string
  readonly source: string
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Total Cost': number
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

interface Explained {
  readonly 'Query Text': string
  readonly Plan: PlanNode
  readonly JIT?: { readonly Functions: number }
}

const MESSAGE = /^duration: [\d.]+ ms {2}plan:\n(\{[\s\S]*\})\s*$/

/** Observes the plans of whatever is sent to a database over connections that are opened while it does. */
export class PlanObserver {
  readonly #plans: ObservedPlan[] = []
  readonly #sources: readonly FunctionSource[]
  readonly #names = new Map<string, string>()
  readonly #stops: (() => unknown)[] = []

  private constructor(sources: readonly FunctionSource[]) {
    this.#sources = sources
  }

  /** `client`: a superuser's, of the same database. */
  static async start(url: string, client: pg.Client): Promise<PlanObserver> {
    const { rows } = await client.query<FunctionSource>(
      `select proname as name, prosrc as source from pg_proc where pronamespace = 'pontual'::regnamespace`,
    )
    const observer = new PlanObserver(rows)
    const stopReporting = await reportPlans(url, {
      'auto_explain.log_min_duration': '0',
      'auto_explain.log_nested_statements': 'on',
      'auto_explain.log_analyze': 'on',
      'auto_explain.log_timing': 'off',
      'auto_explain.log_format': 'json',
    })
    const { port, database } = client
    const stopListening = listenToNotices((notice) => {
      if (notice.client.port === port && notice.client.database === database) observer.#observe(notice.message)
    })
    observer.#stops.push(stopReporting, stopListening, observer.#noteNames())
    return observer
  }

  /** Everything that was observed since the last call. */
  take(): readonly ObservedPlan[] {
    return this.#plans.splice(0)
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0)) await stop()
  }

  #observe(message: string): void {
    const [, json] = MESSAGE.exec(message) ?? []
    if (json === undefined) return
    const { 'Query Text': text, Plan: plan, JIT: jit } = JSON.parse(json) as Explained
    const scans: Scan[] = []
    collectScans(plan, scans)
    this.#plans.push({
      name: this.#nameOf(text),
      text,
      cost: plan['Total Cost'],
      compiled: jit?.Functions ?? 0,
      scans,
    })
  }

  #nameOf(text: string): string {
    const name = this.#names.get(text)
    if (name !== undefined) return name
    const functions = this.#sources.filter(({ source }) => source.includes(text)).map(({ name }) => `${name}()`)
    return functions.length > 0 ? functions.join(' or ') : text.trim().slice(0, 80)
  }

  /** The server reports texts: the names of the store's statements are noted as they are sent. */
  #noteNames(): () => void {
    const session = PgSession.prototype
    const query = Reflect.get(session, 'query')
    const queryAll = Reflect.get(session, 'queryAll')
    const names = this.#names
    Object.assign(session, {
      query(this: PgSession, ...values: Parameters<PgSession['query']>) {
        names.set(values[0].text, values[0].name)
        return Reflect.apply(query, this, values)
      },
      queryAll(this: PgSession, ...values: Parameters<PgSession['queryAll']>) {
        for (const { statement } of values[0]) names.set(statement.text, statement.name)
        return Reflect.apply(queryAll, this, values)
      },
    })
    return () => Object.assign(session, { query, queryAll })
  }
}

function collectScans(node: PlanNode, scans: Scan[]): void {
  const table = node['Relation Name']
  if (table !== undefined) {
    const each =
      (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    scans.push({ type: node['Node Type'], table, rows: Math.round(each * (node['Actual Loops'] ?? 1)) })
  }
  for (const child of node.Plans ?? []) collectScans(child, scans)
}
