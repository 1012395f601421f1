import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { leaveOut } from '../left-out.ts'
import { freePort } from './free-port.ts'
import { KeptProcess } from './kept-process.ts'
import { isUp, type Server } from './server.ts'
import { serverUser } from './server-user.ts'

/** Where PgBouncer is on this machine; null if there is none, and the tests through it are left out. */
export function findPgBouncer(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']
  const found = folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path)) ?? null
  if (!found) leaveOut('tests through PgBouncer', 'install pgbouncer')
  return found
}

/** PgBouncer in front of a database. In transaction mode two statements of one client may meet different connections. */
export async function startPgBouncer(
  program: string,
  databaseUrl: string,
  mode: 'transaction' | 'session' = 'transaction',
): Promise<Server> {
  const { hostname, port, pathname, username, password } = new URL(databaseUrl)
  const user = serverUser()
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pontual-pgbouncer-')))
  const ownPort = await freePort()
  const settings = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  await writeFile(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`)
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${port || '5432'}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 10
max_client_conn = 500
ignore_startup_parameters = extra_float_digits,options
server_round_robin = 1
`,
  )
  if (user.uid !== undefined) {
    for (const path of [folder, settings, users]) await chown(path, user.uid, user.gid ?? user.uid)
  }
  await chmod(folder, 0o700)
  const bouncer = new KeptProcess({ command: program, args: [settings], user, folder })
  const url = `postgres://${username}@127.0.0.1:${ownPort}${pathname}`
  if (await isUp(url, bouncer)) return { url, stop: () => bouncer.stop() }
  await bouncer.stop()
  await rm(folder, { recursive: true, force: true })
  throw new Error(`PgBouncer did not start:\n${bouncer.output}`)
}
