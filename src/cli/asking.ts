import { type CancelTimer, systemEnv } from '../clock.ts'
import type { Page } from '../service/answers.ts'
import { zoneOf } from '../time/zone.ts'
import { type ConnectOptions, connect } from './client/connect.ts'
import type { Connection } from './client/connection.ts'
import type { Environment } from './start-settings.ts'

/** What every command has that asks a service. */
export interface AskingOptions extends ConnectOptions {
  readonly json: boolean
  /** In which times are shown. Default: this machine's. */
  readonly zone?: string
}

/** Asks a service, and lets go of it whatever comes. */
export async function asking<Result>(
  options: ConnectOptions,
  environment: Environment,
  ask: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await connect(options, environment)
  try {
    return await ask(connection)
  } finally {
    await closed(connection)
  }
}

const CLOSE_MS = 5_000

/** A database that does not answer is not waited for. */
async function closed(connection: Connection): Promise<void> {
  let cancel: CancelTimer = () => {}
  const late = new Promise<void>((resolve) => {
    cancel = systemEnv.after(CLOSE_MS, resolve)
  })
  await Promise.race([connection.close(), late])
  cancel()
}

/** The zone in which times are shown. */
export function shownZone({ zone }: { readonly zone?: string }): string {
  return zone === undefined ? new Intl.DateTimeFormat().resolvedOptions().timeZone : zoneOf(zone).id
}

const PAGE = 200

/** A list, page by page, up to so many. `nextCursor` is null where that is all of it. */
export async function collectPages<Item>(
  connection: Connection,
  path: string,
  query: URLSearchParams,
  limit: number,
): Promise<Page<Item>> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const asked = new URLSearchParams(query)
    asked.set('limit', String(Math.min(PAGE, limit - items.length)))
    if (cursor !== null) asked.set('cursor', cursor)
    const page: Page<Item> = await connection.ask('GET', `${path}?${asked.toString()}`)
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null && items.length < limit)
  return { items, nextCursor: cursor }
}

/** The parameters of a question; what is undefined is not asked for. */
export function queryOf(parameters: Readonly<Record<string, string | readonly string[] | undefined>>): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value.length > 0) query.set(name, typeof value === 'string' ? value : value.join(','))
  }
  return query
}
