import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, it } from 'vitest'
import { job, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { Chance } from '../../harness/chance.ts'
import { createDatabase } from '../../harness/postgres/database.ts'
import { findPgBouncer, startPgBouncer } from '../../harness/postgres/pgbouncer.ts'
import { percentile } from '../torture/dead-rows.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'

const POLL_MS = 1_000

/** Far apart, so that none is found by the look for another. */
const CALLERS = 3

/** How long executions wait for their start on a node that hears no hints, in milliseconds. */
async function measureStarts(nodeUrl: string, url: string, count: number): Promise<number[]> {
  const begun = new Map<string, (at: number) => void>()
  const quick = job('quick', { run: (token: string) => begun.get(token)?.(performance.now()) })
  await using node = pontual({ store: postgres(nodeUrl), jobs: [quick], logger: 'silent', pollInterval: POLL_MS })
  await node.start()
  await using app = pontual({ store: postgres(url), jobs: [quick], logger: 'silent' })
  const waits: number[] = []
  const call = async (_: unknown, index: number) => {
    const chance = new Chance(index)
    for (let turn = 0; waits.length < count; turn += 1) {
      await sleep(chance.between(0, 2 * POLL_MS))
      const token = `${index} ${turn}`
      const started = new Promise<number>((resolve) => begun.set(token, resolve))
      const enqueuedAt = performance.now()
      await app.enqueue(quick, token)
      waits.push((await started) - enqueuedAt)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
  return waits.toSorted((a, b) => a - b)
}

/** What becomes of a connection on which somebody wants to listen: `mute`, it stays and says nothing any more; `cut`, it ends. */
type Deafness = 'mute' | 'cut'

/** Stands before a server: everything passes but notifications, since a connection that listens is silenced. */
class DeafProxy implements AsyncDisposable {
  readonly #server: Server
  readonly #target: URL
  readonly #deafness: Deafness
  readonly #sockets = new Set<Socket>()
  /** How many connections wanted to listen. */
  silenced = 0

  private constructor(target: URL, deafness: Deafness) {
    this.#target = target
    this.#deafness = deafness
    this.#server = createServer((client) => this.#accept(client))
  }

  static async before(url: string, deafness: Deafness): Promise<DeafProxy> {
    const proxy = new DeafProxy(new URL(url), deafness)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  /** The same database, through here. */
  get url(): string {
    const url = new URL(this.#target)
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #accept(client: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname)
    let isDeaf = false
    client.on('data', (chunk) => {
      if (!isDeaf && chunk.includes('listen "')) {
        isDeaf = true
        this.silenced += 1
        if (this.#deafness === 'cut') client.destroy()
      }
      if (!isDeaf) server.write(chunk)
    })
    server.on('data', (chunk) => isDeaf || client.write(chunk))
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
    for (const socket of [client, server]) {
      socket.on('error', () => {})
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    }
  }
}

const STARTS = 100
const LATEST_MS = POLL_MS + 1_000

describe('without hints', () => {
  const proof = new Proof('hints')
  afterAll(() => proof.keep())

  const judge = (where: string, waits: readonly number[]) => {
    const about = (what: string) => ({ section: 'faults', invariants: ['I28'], what }) as const
    proof.count(about(`executions started ${where}`), waits.length, STARTS)
    const longest = Math.round(percentile(waits, 100))
    proof.bound(about(`longest wait for a start ${where}, polling every ${POLL_MS} ms`), longest, LATEST_MS, 'ms')
  }

  it.each<[Deafness, string]>([
    ['mute', 'where the listener’s connection is half open'],
    ['cut', 'where the listener’s connection is cut every time'],
  ])('I28: %s: work starts within the poll interval and a second', (deafness, where) =>
    proof.part(async () => {
      const database = await createDatabase()
      await using proxy = await DeafProxy.before(database.url, deafness)
      judge(where, await measureStarts(proxy.url, database.url, countOf('STARTS', STARTS)))
      proof.require(proxy.silenced > 0, () => 'Nobody wanted to listen.')
      await database.drop()
    }),
  )

  it('I28: behind PgBouncer: work starts within the poll interval and a second', () =>
    proof.part(async () => {
      const program = findPgBouncer()
      if (program === null) return proof.gap('I28: there is no PgBouncer on this machine.')
      const database = await createDatabase()
      const bouncer = await startPgBouncer(program, database.url)
      judge(
        'behind PgBouncer in transaction mode',
        await measureStarts(bouncer.url, database.url, countOf('STARTS', STARTS)),
      )
      await bouncer.stop()
      await database.drop()
    }))
})
