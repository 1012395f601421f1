import { createHmac } from 'node:crypto'
import { vi } from 'vitest'
import { z } from 'zod'
import { exitCodeOf } from '../../../src/cli/errors.ts'
import { createProgram } from '../../../src/cli/program.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { type Pontual, pontual } from '../../../src/pontual.ts'
import { type Api, createApi } from '../../../src/server/create-api.ts'
import { type Served, serve } from '../../../src/server/mount/serve.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { testTerminal } from './test-terminal.ts'

const SECRET = 'a secret of these tests that is long enough to be one'

/** Clears a screen, names a window, turns text around, and begins a line of its own. */
export const HOSTILE = 'bad\u001b[2J\u001b]0;owned\u0007 news\u202e\n2026-01-01 00:00:00.000 +00:00 INFO  forged'

/** A service over HTTP with jobs to operate: `Import`, `import` and `Two words` log and succeed, `Break` fails, `Flaky` too and is tried again in an hour, `Send` is strict about its input, `Sleep` is durable, `Wait` runs until it is let go, `Delete` needs a yes. */
export class OperatedService {
  readonly app: Pontual
  readonly #identity = { jwt: { secret: SECRET } }
  #api: Api | null = null
  #served: Served | null = null
  #release: () => void = () => {}
  readonly #released = new Promise<void>((resolve) => {
    this.#release = resolve
  })

  constructor(store: StoreSource = memory()) {
    const released = this.#released
    this.app = pontual({
      onFaulted: 'stop',
      store,
      tenant: 'acme',
      logger: 'silent',
      jobs: [
        job('import', {
          run: (input: unknown, { logger }) => {
            logger.info('importing', { input: input ?? null })
            logger.warn(HOSTILE)
            return { invoices: 3 }
          },
        }),
        job('break', {
          retry: { retries: 0 },
          run: () => {
            throw new Error(HOSTILE)
          },
        }),
        job('flaky', {
          retry: { retries: 1, initial: '1h' },
          run: () => {
            throw new Error('The mail server does not answer.')
          },
        }),
        job('send', { input: z.strictObject({ invoice: z.number() }), run: ({ invoice }) => invoice }),
        job('sleep', { durable: true, run: async (_input: undefined, ctx) => await ctx.sleep('1h') }),
        job('wait', {
          run: async (_input: unknown, { logger, signal }) => {
            logger.info('waiting')
            await Promise.race([
              released,
              new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
            ])
            logger.info('let go')
          },
        }),
        job('report', { enqueueable: true, input: z.strictObject({ year: z.number() }), run: ({ year }) => year }),
        job('crash', {
          enqueueable: true,
          retry: { retries: 0 },
          run: () => {
            throw new Error('out of paper')
          },
        }),
        job('delete', { sensitive: true, run: () => 'deleted' }),
      ],
    })
  }

  async start(): Promise<this> {
    this.#api = await createApi(this.app, { identity: this.#identity, dashboard: false })
    await this.app.start()
    const trigger = cron('0 0 1 1 *', { timeZone: 'UTC' })
    for (const name of ['Import', 'Imports', 'IMPORTS', 'Two words'])
      await this.app.schedule('import', { name, trigger })
    await this.app.schedule('break', { name: 'Break', trigger })
    await this.app.schedule('flaky', { name: 'Flaky', trigger })
    await this.app.schedule('send', { name: 'Send', trigger, input: { invoice: 1 } })
    await this.app.schedule('sleep', { name: 'Sleep', trigger })
    await this.app.schedule('wait', { name: 'Wait', trigger })
    this.#served = await serve(this.#api, { port: 0 })
    return this
  }

  get url(): string {
    return this.#served?.url ?? ''
  }

  /** Goes away, and comes back at the same address. */
  async restart(): Promise<void> {
    const port = this.#served?.port
    await this.#served?.close()
    this.#api = await createApi(this.app, { identity: this.#identity, dashboard: false })
    this.#served = await serve(this.#api, { port })
  }

  /** Lets `Wait` end. */
  release(): void {
    this.#release()
  }

  async stop(): Promise<void> {
    this.release()
    await this.#served?.close()
    await this.app.stop()
  }
}

/** A token of a user of the tenant `acme`; with permissions, one that is narrower than his profile. */
export function tokenOf(sub: string, profile = 'Admin', permissions?: readonly string[]): string {
  const part = (data: object) => Buffer.from(JSON.stringify(data)).toString('base64url')
  const exp = Math.floor(Date.now() / 1_000) + 600
  const text = `${part({ alg: 'HS256' })}.${part({ clienteId: 'acme', sub, profile, exp, permissions })}`
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`
}

export interface Operated {
  readonly output: string
  readonly notes: string
  readonly exitCode: number
  /** The message of the error that it ended with. */
  readonly error: string
}

interface Surroundings {
  readonly environment?: Readonly<Record<string, string>>
  readonly columns?: number
  readonly isInteractive?: boolean
}

/** What a command prints and ends with; nothing of this machine's environment is seen. */
export async function operate(args: readonly string[], around: Surroundings = {}): Promise<Operated> {
  const { environment = {}, ...rest } = around
  for (const name of ['PONTUAL_URL', 'DATABASE_URL', 'PONTUAL_TOKEN', 'PONTUAL_API_KEY']) {
    vi.stubEnv(name, environment[name] ?? '')
  }
  const terminal = testTerminal({ now: Date.now(), ...rest })
  const error = await createProgram(terminal)
    .parseAsync(args, { from: 'user' })
    .then(
      () => null,
      (caught: unknown) => caught,
    )
  vi.unstubAllEnvs()
  return {
    output: terminal.lines.join(''),
    notes: terminal.notes.join(''),
    exitCode: error === null ? 0 : exitCodeOf(error),
    error: error instanceof Error ? error.message : '',
  }
}
