import { execFile } from 'node:child_process'
import { chown, mkdtemp, realpath, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { findBinaries, type ServerVersion } from './binaries.ts'
import { freePort } from './free-port.ts'
import { KeptProcess, type ProgramRequest } from './kept-process.ts'
import { serverUser } from './server-user.ts'

export interface ServerOptions {
  readonly version: ServerVersion
  /** Whether what is committed survives a crash of the machine. Slow; default false. */
  readonly isDurable?: boolean
}

export interface Server {
  /** Of its database `postgres`, as its superuser. */
  readonly url: string
  stop(): Promise<void>
}

export interface StartedServer extends Server {
  /** Ends it, and once `meanwhile` is over starts it again, with all it has kept. */
  restart(meanwhile: () => Promise<void>): Promise<void>
}

const START_TRIES = 5
const START_MS = 30_000

/** A PostgreSQL server on a free port of the loopback, with nothing in it. It ends with us and leaves nothing behind. */
export async function startServer({ version, isDurable = false }: ServerOptions): Promise<StartedServer> {
  let output = ''
  for (let tries = 0; tries < START_TRIES; tries++) {
    const port = await freePort()
    const program = await prepare(port, version, isDurable)
    const server = new KeptProcess(program)
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    if (await isUp(url, server)) return running(url, program, server)
    await server.stop()
    output = server.output
    // Someone may have taken the port meanwhile; nothing else goes away by itself.
    if (!output.includes('could not bind')) break
  }
  throw new Error(`The server did not start:\n${output}`)
}

function running(url: string, program: ProgramRequest, started: KeptProcess): StartedServer {
  let server = started
  return {
    url,
    async restart(meanwhile) {
      await server.stop({ keepsFolder: true })
      await meanwhile()
      server = new KeptProcess(program)
      if (!(await isUp(url, server))) throw new Error(`The server did not start again:\n${server.output}`)
    },
    stop: () => server.stop(),
  }
}

/** A folder with an empty database, and the program that serves it. */
async function prepare(port: number, version: ServerVersion, isDurable: boolean): Promise<ProgramRequest> {
  const user = serverUser()
  const folder = await realpath(await mkdtemp(join(await baseFolder(isDurable), `pontual-postgres-${version}-`)))
  try {
    if (user.uid !== undefined) await chown(folder, user.uid, user.gid ?? user.uid)
    const { initdb, postgres } = await findBinaries(version, user, folder)
    const data = join(folder, 'data')
    await promisify(execFile)(initdb, ['-D', data, ...initOptions(version)], { ...user, cwd: folder })
    const chosen = version === 'stock' ? stockSettings(folder, isDurable) : settings(isDurable)
    const args = ['-D', data, '-p', String(port), ...chosen.flatMap((setting) => ['-c', setting])]
    return { command: postgres, args, user, folder }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

const MEMORY = '/dev/shm'
const MEMORY_BYTES = 4 * 1024 ** 3

/** Files of a server that need not survive the machine are kept in memory if there is room: hundreds of databases are copied in a run. */
async function baseFolder(isDurable: boolean): Promise<string> {
  if (isDurable) return tmpdir()
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return free >= MEMORY_BYTES ? MEMORY : tmpdir()
}

// What a store answers must depend neither on the collation nor on the time zone of the server: both are unusual ones here.
export function initOptions(version: ServerVersion): string[] {
  return ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-sync', ...LOCALES[version]]
}

const LOCALES: Readonly<Record<ServerVersion, readonly string[]>> = {
  '18': ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'],
  '14': ['--locale=C'],
  stock: [],
}

/** The defaults of the server (JIT, memory, `max_connections`), except for where it listens. */
function stockSettings(folder: string, isDurable: boolean): string[] {
  return ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, ...(isDurable ? [] : ['fsync=off'])]
}

function settings(isDurable: boolean): string[] {
  const forgetful = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
  return [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'timezone=Asia/Kathmandu',
    'max_connections=200',
    ...(isDurable ? [] : forgetful),
  ]
}

/** Whether a server takes connections before it ends. */
export async function isUp(url: string, server: Pick<KeptProcess, 'hasEnded'>): Promise<boolean> {
  const deadline = performance.now() + START_MS
  while (!server.hasEnded && performance.now() < deadline) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return true
    } catch {
      await sleep(25)
    } finally {
      await client.end().catch(() => {})
    }
  }
  return false
}
