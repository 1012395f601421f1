import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, describe, it } from 'vitest'
import { systemEnv } from '../../../src/clock.ts'
import { IdempotencyError, job, pontual, StoreUnavailableError } from '../../../src/index.ts'
import { silentLogger } from '../../../src/logger.ts'
import { postgres } from '../../../src/postgres.ts'
import type { EngineStore } from '../../../src/store/store.ts'
import { Chance } from '../../harness/chance.ts'
import { createDatabase } from '../../harness/postgres/database.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'

/**
 * When the client loses its connection, once what it asked for is on its way to the server: `answered`, the server has answered, so that it is committed, and the
 * answer is held back; `sent`, at once, while the server goes on; `torn`, at once, and the server's side as well.
 */
type Cut = 'answered' | 'sent' | 'torn'

/** Stands before a server, and cuts a connection on which a marked request is sent. */
class CuttingProxy implements AsyncDisposable {
  readonly #server: Server
  readonly #target: URL
  readonly #decide: (marks: readonly string[]) => Cut | null
  readonly #sockets = new Set<Socket>()
  readonly cuts: Record<Cut, number> = { answered: 0, sent: 0, torn: 0 }

  private constructor(target: URL, decide: (marks: readonly string[]) => Cut | null) {
    this.#target = target
    this.#decide = decide
    this.#server = createServer((client) => this.#accept(client))
  }

  /** `decide` is told the marks of each request that has any: texts of the form `mark-…-`. */
  static async before(url: string, decide: (marks: readonly string[]) => Cut | null): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(new URL(url), decide)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  /** The same server, through here. */
  get url(): string {
    const url = new URL(this.#target)
    url.hostname = '127.0.0.1'
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #accept(client: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname)
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => this.#sockets.delete(socket))
      this.#sockets.add(socket)
    }
    let isCut = false
    client.on('data', (chunk) => {
      if (isCut) return
      const cut = this.#decide(marksIn(chunk))
      if (cut === null) return void server.write(chunk)
      isCut = true
      this.cuts[cut] += 1
      // Only what has left is on its way.
      server.write(chunk, () => {
        if (cut === 'torn') server.destroy()
        if (cut !== 'answered') client.destroy()
      })
    })
    server.on('data', (chunk) => {
      if (!isCut) return void client.write(chunk)
      client.destroy()
      server.destroy()
    })
    client.on('close', () => {
      if (!isCut) server.destroy()
    })
    server.on('close', () => client.destroy())
  }
}

function marksIn(chunk: Buffer): string[] {
  return chunk.includes('mark-') ? (chunk.toString('latin1').match(/mark-[0-9a-z]+-/g) ?? []) : []
}

/** Callers who use the engine, which asks again by itself, and callers who do so themselves, each time with a new execution. */
const PATIENT = 16

const HASTY = 8

const TRIES = 200

const CUTS: readonly Cut[] = ['answered', 'answered', 'sent', 'torn']

const pay = job('pay', { run: (_input: { readonly amount: number }) => null })

interface KeyReport {
  readonly keys: number
  readonly cuts: Readonly<Record<Cut, number>>
  readonly refused: number
}

/** Who asks for an amount under a key: gives the id of the execution, or null where the key stands for another amount. */
interface Caller {
  ask(key: string, amount: number): Promise<string | null>
  close(): Promise<void>
}

/** Callers ask with a key; their connection is cut right after, again and again, until they are told. Then they ask for something else with the same key. */
async function cutAfterCommit(url: string, cuts: number, proof: Proof): Promise<KeyReport> {
  const chance = new Chance(9)
  /** How often each key is still to be cut. */
  const left = new Map<string, number>()
  await using proxy = await CuttingProxy.before(url, (marks) => {
    const due = marks.filter((mark) => (left.get(mark) ?? 0) > 0)
    for (const mark of due) left.set(mark, (left.get(mark) ?? 0) - 1)
    return due.length > 0 ? chance.pick(CUTS) : null
  })
  const made = () => Object.values(proxy.cuts).reduce((sum, count) => sum + count, 0)
  const ids = new Map<string, string>()
  let refused = 0
  const serve = async (caller: Caller, name: string) => {
    for (let turn = 0; made() < cuts; turn += 1) {
      const key = `mark-${name}x${turn}-`
      left.set(key, chance.between(1, 3))
      ids.set(key, (await caller.ask(key, 1)) ?? 'refused')
      if ((await caller.ask(key, 2)) === null) refused += 1
      else proof.violate(`The key ${key} was taken for another input.`)
    }
    await caller.close()
  }
  const patient = Array.from({ length: PATIENT }, (_, index) => serve(patientCaller(proxy.url), `p${index}`))
  const hasty = Array.from({ length: HASTY }, async (_, index) => serve(await hastyCaller(proxy.url), `h${index}`))
  await Promise.all([...patient, ...hasty])
  await judge(url, ids, proof)
  return { keys: ids.size, cuts: proxy.cuts, refused }
}

function patientCaller(url: string): Caller {
  const app = pontual({ store: postgres(url, { maxConnections: 1 }), jobs: [pay], logger: 'silent' })
  return {
    ask: (key, amount) =>
      untilKnown(key, async () => {
        try {
          return (await app.enqueue(pay, { amount }, { idempotencyKey: key })).id
        } catch (error) {
          if (error instanceof IdempotencyError) return null
          throw error
        }
      }),
    close: async () => {
      await app.stop()
    },
  }
}

async function hastyCaller(url: string): Promise<Caller> {
  const source = postgres(url, { maxConnections: 1 })
  const store = await source.open({ env: systemEnv, logger: silentLogger })
  return {
    ask: (key, amount) => untilKnown(key, () => askStore(store, key, `{"amount":${amount}}`)),
    close: () => store.close(),
  }
}

async function askStore(store: EngineStore, idempotencyKey: string, payload: string): Promise<string | null> {
  const createdAt = systemEnv.now()
  const body = {
    id: systemEnv.uuid(createdAt),
    tenant: 'default',
    jobId: null,
    jobType: 'pay',
    queue: 'default',
    priority: 'MEDIUM',
    origin: 'enqueue',
    payload,
    scheduledAt: null,
    maxAttempts: 3,
    idempotencyKey,
    options: null,
    createdAt,
  } as const
  const [answer] = await store.executions.enqueue([{ body, runAt: null }])
  if (!answer) throw new Error('An enqueue was not answered.')
  return answer.isNew || answer.payload === payload ? answer.id : null
}

/** As callers are told to: the same again, for as long as nobody knows. */
async function untilKnown<Answer>(key: string, ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
    }
  }
  throw new Error(`Nobody knows about ${key} after ${TRIES} tries.`)
}

/** Each key has one execution: the one that its caller was told of. Looked for by the executions themselves, not by the table of keys. */
async function judge(url: string, ids: ReadonlyMap<string, string>, proof: Proof): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ key: string; ids: string[] }>(
    'select idempotency_key as key, array_agg(id::text) as ids from pontual.executions group by idempotency_key',
  )
  await client.end()
  proof.require(rows.length === ids.size, () => `${rows.length} keys are stored of ${ids.size}.`)
  for (const { key, ids: stored } of rows) {
    proof.require(stored.length === 1 && stored[0] === ids.get(key), () => `Key ${key} has ${stored.join(', ')}.`)
  }
}

const ASKED = 10_000

describe('a key', () => {
  const proof = new Proof('keys')
  afterAll(() => proof.keep())

  it('I9: stands for one execution, also where the connection is cut right after what was asked has left', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const report = await cutAfterCommit(database.url, countOf('CUTS', ASKED), proof)
      await database.drop()
      const { answered, sent, torn } = report.cuts
      const about = (what: string) => ({ section: 'faults', invariants: ['I9'], what }) as const
      proof.count(about('connections cut after a request with a key had left'), answered + sent + torn, ASKED)
      proof.note(about('of these after its commit'), answered)
      proof.note({ ...about('keys, with one execution each'), section: 'lost' }, report.keys)
      proof.note(
        { ...about('requests for something else with the same key, all refused'), section: 'inputs' },
        report.refused,
      )
    }))
})
