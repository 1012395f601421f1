import { type CancelTimer, systemEnv } from '../clock.ts'
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
