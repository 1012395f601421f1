import pg from 'pg'

/** A plan that the server reported. */
export interface PlanNotice {
  readonly client: pg.Client
  readonly message: string
  readonly detail: string
}

/**
 * Makes a database report plans to the clients that open a connection from now on, by the module `auto_explain` and the given settings of it. Returns
 * how to make it stop.
 */
export async function reportPlans(
  url: string,
  settings: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
  const all = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_level': 'notice',
    client_min_messages: 'notice',
    ...settings,
  }
  await alterDatabase(url, Object.entries(all))
  return () =>
    alterDatabase(
      url,
      Object.keys(all).map((name) => [name, null] as const),
    )
}

/** null: back to the server's own value. */
async function alterDatabase(url: string, settings: readonly (readonly [string, string | null])[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const [name, value] of settings) {
      const action = value === null ? `reset ${name}` : `set ${name} to ${client.escapeLiteral(value)}`
      await client.query(
        `do $$ begin execute format('alter database %I ${action.replaceAll('%', '%%').replaceAll("'", "''")}', current_database()); end $$`,
      )
    }
  } finally {
    await client.end()
  }
}

/** Passes on every notice that a client of this process receives, also those of a store, which hands out none of its clients. Returns how to stop. */
export function listenToNotices(onNotice: (notice: PlanNotice) => void): () => void {
  const own = Object.getOwnPropertyDescriptor(pg.Client.prototype, 'emit')
  const emit = Reflect.get(pg.Client.prototype, 'emit') as (name: string, ...values: unknown[]) => boolean
  const emitHeard = function (this: pg.Client, name: string, ...values: unknown[]): boolean {
    if (name === 'notice') {
      const { message = '', detail = '' } = values[0] as Partial<PlanNotice>
      onNotice({ client: this, message, detail })
    }
    return Reflect.apply(emit, this, [name, ...values])
  }
  Object.assign(pg.Client.prototype, { emit: emitHeard })
  return () => {
    if (own) Object.defineProperty(pg.Client.prototype, 'emit', own)
    else Reflect.deleteProperty(pg.Client.prototype, 'emit')
  }
}
