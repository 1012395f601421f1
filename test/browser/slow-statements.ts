import pg from 'pg'

/** A statement that took long, as the server saw it. */
export interface SlowStatement {
  readonly ms: number
  /** How much of that it was at work: the rest it waited, for a core that others had. */
  readonly cpuMs: number
  readonly text: string
  /** What it did, with rows and pages. */
  readonly plan: string
}

const USED = /(\d+\.\d+) s user, (\d+\.\d+) s system, \d+\.\d+ s elapsed/

const TOLD = /^duration: ([\d.]+) ms {2}plan:\nQuery Text: ([\s\S]*?)\n((?:\w[^\n]*\(cost=|Query Parameters: )[\s\S]*)$/

/**
 * Has a database tell whoever asks which of his statements took longer than so many milliseconds, with their plans: without what planning takes, and what the
 * way to it and back takes. Only of connections that are opened from now on, in this process.
 */
export async function tellSlowStatements(url: string, longestMs: number): Promise<readonly SlowStatement[]> {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': String(longestMs),
    'auto_explain.log_level': 'notice',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
    log_executor_stats: 'on',
    client_min_messages: 'log',
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const [name, value] of Object.entries(settings)) {
      const { rows } = await client.query<{ text: string }>(
        `select format('alter database %I set %s to %L', current_database(), $1::text, $2::text) as text`,
        [name, value],
      )
      await client.query(rows[0]?.text ?? '')
    }
  } finally {
    await client.end()
  }
  const told: SlowStatement[] = []
  // What a statement used is told before what it did.
  const used = new WeakMap<pg.Client, number>()
  listen((client, { message = '', detail = '' }) => {
    const [, user, system] = USED.exec(detail) ?? []
    if (user !== undefined) used.set(client, Math.round(1_000 * (Number(user) + Number(system))))
    const [, ms, text, plan = ''] = TOLD.exec(message) ?? []
    if (text !== undefined) told.push({ ms: Math.round(Number(ms)), cpuMs: used.get(client) ?? Number.NaN, text, plan })
  })
  return told
}

interface Notice {
  readonly message?: string
  readonly detail?: string
}

/** What a server says beside its answers reaches the clients of the store, which nobody else gets hold of. */
function listen(hear: (client: pg.Client, notice: Notice) => void): void {
  const emit = Reflect.get(pg.Client.prototype, 'emit') as (name: string, ...values: unknown[]) => boolean
  const emitHeard = function (this: pg.Client, name: string, ...values: unknown[]): boolean {
    if (name === 'notice') hear(this, values[0] as Notice)
    return Reflect.apply(emit, this, [name, ...values])
  }
  Object.assign(pg.Client.prototype, { emit: emitHeard })
}
