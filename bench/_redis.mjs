import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './_free-port.mjs'

/** What the documentation of BullMQ asks for: every second to the disk, and nothing thrown away. */
const SETTINGS = { appendonly: 'yes', appendfsync: 'everysec', save: '""', 'maxmemory-policy': 'noeviction' }
const STARTING_MS = 10_000

/**
 * A Redis server of its own on a free port of the loopback interface: `{ connection, pid, description, clear(), stop() }`, or null, with a loud
 * line, where there is no `redis-server` and none can be installed. Its data is in a new folder for temporary files and goes with it.
 */
export async function startRedis() {
  const program = onPath('redis-server') ?? installed()
  if (!program) {
    console.error('\n*** There is no redis-server: BullMQ on Redis DOES NOT TAKE PART. ***\n')
    return null
  }
  const folder = mkdtempSync(join(process.env.PONTUAL_BENCH_DATA ?? tmpdir(), 'pontual-bench-redis-'))
  const password = randomBytes(16).toString('hex')
  const port = await freePort()
  const settings = { ...SETTINGS, bind: '127.0.0.1', port, dir: folder, requirepass: password, daemonize: 'no' }
  const server = spawn(program, ['-'], { stdio: ['pipe', 'ignore', 'ignore'] })
  server.stdin.end(
    Object.entries(settings)
      .flatMap(([name, value]) => `${name} ${value}\n`)
      .join(''),
  )
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const abandon = () => {
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
  process.once('exit', abandon)

  const connection = { host: '127.0.0.1', port, password }
  const admin = new Redis({ ...connection, maxRetriesPerRequest: null, retryStrategy: () => 50 })
  // It breaks when the server is stopped from outside, and is tried again until the server has started.
  admin.on('error', () => {})
  const version = await Promise.race([versionOf(admin), sleep(STARTING_MS, null, { ref: false })])
  if (!version) throw new Error(`Redis does not start within ${STARTING_MS / 1000} s.`)
  return {
    connection,
    pid: server.pid,
    description: `Redis ${version}: appendonly yes, appendfsync everysec, save off, maxmemory-policy noeviction`,
    clear: () => admin.flushall(),
    async stop() {
      admin.disconnect()
      process.off('exit', abandon)
      server.kill('SIGTERM')
      await Promise.race([ended, sleep(5_000, null, { ref: false })])
      abandon()
    },
  }
}

async function versionOf(admin) {
  return /redis_version:(\S+)/.exec(await admin.info('server'))?.[1]
}

function onPath(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {}
  }
  return null
}

/** Debian's package, where that takes neither a question nor a password. Its own service is not started. */
function installed() {
  const apt = onPath('apt-get')
  if (!apt || process.getuid() !== 0) return null
  console.error("\n*** Installing Debian's redis-server (apt-get) for BullMQ on Redis … ***\n")
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const install = ['install', '-y', '--no-install-recommends', 'redis-server']
  for (const args of [['update'], install]) {
    try {
      execFileSync(apt, args, { env, stdio: 'ignore', timeout: 120_000 })
    } catch (error) {
      console.error(`apt-get ${args[0]}: ${error.message}`)
    }
  }
  return onPath('redis-server')
}
