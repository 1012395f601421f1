import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { leaveOut } from '../left-out.ts'
import type { Binaries } from './binaries.ts'
import { freePort } from './free-port.ts'
import { KeptProcess, type ProgramRequest } from './kept-process.ts'
import { isUp } from './server.ts'
import { serverUser } from './server-user.ts'
import { findStockServer } from './stock-server.ts'

const run = promisify(execFile)

/** The server of the system, if it comes with the tools to copy a primary. */
export function replicationBinaries(): Binaries | null {
  const found = findStockServer()
  if (found && existsSync(join(dirname(found.postgres), 'pg_basebackup'))) return found
  leaveOut('several hosts and switchover', 'no PostgreSQL of the system with pg_basebackup')
  return null
}

export const PASSWORD = 'p,ss@w:rd'

/** A server with the default settings of its version, reachable by TCP with a password and by a unix socket without one. */
interface ReplicatedServer {
  readonly port: number
  readonly url: string
  /** The directory of its unix socket. */
  readonly socket: string
  /** Fast shutdown, as for a planned restart. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Resolves when a standby streams from it: from then on a planned stop hands over everything. */
  isFollowed(): Promise<void>
  /** Ends the recovery of a standby; resolves when it accepts writes. */
  promote(): Promise<void>
}

export interface Replicated {
  readonly primary: ReplicatedServer
  readonly standby: ReplicatedServer
  end(): Promise<void>
}

/** A primary and a standby that streams from it. */
export async function startReplicated(binaries: Binaries): Promise<Replicated> {
  const primary = await prepare(async (data, folder) => {
    const passwords = join(folder, 'password')
    await writeFile(passwords, `${PASSWORD}\n`, { mode: 0o644 })
    const args = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', '--auth-local=trust', '--pwfile', passwords]
    await run(binaries.initdb, [...args, '--no-sync'], { ...serverUser(), cwd: folder })
  })
  await primary.server.start()
  const standby = await prepare(async (data, folder) => {
    const source = `host=127.0.0.1 port=${primary.server.port} user=postgres password='${PASSWORD}'`
    const args = ['-D', data, '-R', '-c', 'fast', '--no-sync', '-d', source]
    await run(join(dirname(binaries.postgres), 'pg_basebackup'), args, { ...serverUser(), cwd: folder })
  })
  await standby.server.start()
  return {
    primary: primary.server,
    standby: standby.server,
    end: async () => {
      await Promise.all([primary.end(), standby.end()])
    },
  }

  async function prepare(fill: (data: string, folder: string) => Promise<void>) {
    const user = serverUser()
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'pontual-replicated-')))
    if (user.uid !== undefined) await chown(folder, user.uid, user.gid ?? user.uid)
    const data = join(folder, 'data')
    const socket = join(folder, 'socket')
    await mkdir(socket)
    if (user.uid !== undefined) await chown(socket, user.uid, user.gid ?? user.uid)
    await fill(data, folder)
    const port = await freePort()
    const args = ['-D', data, '-p', String(port), '-c', `unix_socket_directories=${socket}`]
    const listening = ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=60']
    return serve({ command: binaries.postgres, args: [...args, ...listening], user, folder }, port, socket)
  }
}

function serve(program: ProgramRequest, port: number, socket: string) {
  let running: KeptProcess | null = null
  const local = `postgres://postgres@/postgres?host=${socket}&port=${port}`
  const ask = async (work: (client: pg.Client) => Promise<unknown>) => {
    const client = new pg.Client({ connectionString: local })
    await client.connect()
    await work(client)
    await client.end()
  }
  const stop = async () => {
    await running?.stop({ keepsFolder: true })
    running = null
  }
  const server: ReplicatedServer = {
    port,
    socket,
    url: `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`,
    stop,
    async start() {
      running = new KeptProcess(program)
      if (!(await isUp(local, running))) throw new Error(`The server did not start:\n${running.output}`)
    },
    async isFollowed() {
      const followers = `select from pg_stat_replication where state = 'streaming'`
      await ask(async (client) => {
        while ((await client.query(followers)).rowCount === 0) await sleep(50)
      })
    },
    promote: () => ask((client) => client.query('select pg_promote(true, 60)')),
  }
  const end = async () => {
    running ??= new KeptProcess({ ...program, command: process.execPath, args: ['-e', ''] })
    await running.stop()
  }
  return { server, end }
}
