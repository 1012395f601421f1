import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { findBinaries } from '../../../harness/postgres/binaries.ts'
import { freePort } from '../../../harness/postgres/free-port.ts'
import { initOptions, isUp } from '../../../harness/postgres/server.ts'
import { type ServerUser, serverUser } from '../../../harness/postgres/server-user.ts'
import type { TorturedServer } from '../stage.ts'
import { type KeptPlace, openPlace } from './place.ts'
import { serverProcesses, signalAll } from './processes.ts'
import { LOG_SETTINGS, ServerLog } from './server-log.ts'

export interface TorturedServerOptions {
  /** Of the file system that its data are on. Default 2,000. */
  readonly sizeMb?: number
}

const DATABASE = 'pontual'
const VERSION = '18'
/** What a server takes at most to stop or to be killed. */
const END_MS = 15_000

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'timezone=Asia/Kathmandu',
  'max_connections=100',
  'max_wal_size=256MB',
  // All at once instead of file by file: most of what a recovery takes otherwise.
  'recovery_init_sync_method=syncfs',
  ...LOG_SETTINGS,
]

/** A PostgreSQL 18 that keeps what it has acknowledged, with an empty database of ours in it. Its log of transactions is not on the limited space. */
export async function startTorturedServer({
  sizeMb = 2_000,
}: TorturedServerOptions = {}): Promise<TorturedServer & AsyncDisposable> {
  const user = serverUser()
  const place = await openPlace(user, sizeMb)
  try {
    const { initdb, postgres } = await findBinaries(VERSION, user, place.folder)
    const wal = ['--waldir', join(place.folder, 'wal')]
    await promisify(execFile)(initdb, ['-D', place.data, ...wal, ...initOptions(VERSION)], { ...user, cwd: '/' })
    const server = new PlacedServer(place, postgres, user, await freePort())
    await server.start()
    await server.createDatabase()
    return server
  } catch (error) {
    await place[Symbol.asyncDispose]()
    throw error
  }
}

class PlacedServer implements TorturedServer, AsyncDisposable {
  readonly #place: KeptPlace
  readonly #program: string
  readonly #user: ServerUser
  readonly #port: number
  readonly #log: ServerLog
  #process: ChildProcess | null = null
  /** What is done to it is done one after the other. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(place: KeptPlace, program: string, user: ServerUser, port: number) {
    this.#place = place
    this.#program = program
    this.#user = user
    this.#port = port
    this.#log = new ServerLog(join(place.folder, 'log'))
  }

  get url(): string {
    return this.#urlOf(DATABASE)
  }

  get folder(): string {
    return this.#place.volume
  }

  async createDatabase(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#urlOf('postgres') })
    await client.connect()
    await client.query(`create database ${DATABASE}`)
    await client.end()
  }

  async start(): Promise<void> {
    const log = this.#log.openForServer()
    const args = ['-D', this.#place.data, '-p', String(this.#port), ...SETTINGS.flatMap((setting) => ['-c', setting])]
    const started = spawn(this.#program, args, {
      ...this.#user,
      cwd: this.#place.data,
      detached: true,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    started.on('error', () => {}).unref()
    this.#process = started
    const server = {
      get hasEnded() {
        return isReaped(started)
      },
    }
    if (!(await isUp(this.#urlOf('postgres'), server))) {
      throw new Error(`The server did not start:\n${await this.#log.tail()}`)
    }
  }

  crash(how: 'kill' | 'immediate' = 'kill', meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    return this.#inTurn(async () => {
      if (how === 'immediate') this.#process?.kill('SIGQUIT')
      else signalAll(this.#standStill(), 'SIGKILL')
      await this.#untilEnded()
      try {
        await meanwhile()
      } finally {
        await this.start()
      }
    })
  }

  freeze(meanwhile: () => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      const frozen = this.#standStill()
      try {
        await meanwhile()
      } finally {
        signalAll(frozen, 'SIGCONT')
      }
    })
  }

  async freeSpace(): Promise<number | null> {
    if (!this.#place.isLimited) return null
    const { bavail, bsize } = await statfs(this.#place.volume)
    return bavail * bsize
  }

  refusals(sqlState: string): Promise<number> {
    return this.#log.count(sqlState)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#place[Symbol.asyncDispose]()
  }

  #urlOf(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/${database}`
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }

  /** First the one that starts the others, so that none is missed. */
  #standStill(): number[] {
    this.#process?.kill('SIGSTOP')
    const all = serverProcesses(this.#place.data)
    signalAll(all, 'SIGSTOP')
    return all
  }

  /** Until its process is reaped too: before, the next server takes the lock file for that of a server that runs. */
  async #untilEnded(): Promise<void> {
    const deadline = performance.now() + END_MS
    const isThere = () => this.#process !== null && !isReaped(this.#process)
    while (isThere() || serverProcesses(this.#place.data).length > 0) {
      if (performance.now() > deadline) throw new Error('The server does not end.')
      await sleep(10)
    }
  }
}

function isReaped({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null || pid === undefined
}
