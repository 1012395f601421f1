import fc from 'fast-check'
import { activity } from '../../../src/job/activity/activity.ts'
import type { DurableContext } from '../../../src/job/activity/durable-context.ts'
import type { Code } from './shelf.ts'

/** A durable job as data, so that chance can write one. */
export type Program =
  | { readonly kind: 'run'; readonly name: string; readonly failures: number; readonly ms: number }
  | { readonly kind: 'undoable'; readonly name: string; readonly ms: number }
  | { readonly kind: 'sleep'; readonly ms: number }
  | { readonly kind: 'timer'; readonly ms: number; readonly work: Program }
  | { readonly kind: 'signal'; readonly ms: number }
  | { readonly kind: 'checkpoint' }
  | { readonly kind: 'transaction'; readonly ms: number }
  | { readonly kind: 'chance'; readonly heads: Program; readonly tails: Program }
  | { readonly kind: 'fail' }
  | { readonly kind: 'all' | 'race' | 'allSettled' | 'inTurn'; readonly parts: readonly Program[] }
  | { readonly kind: 'loop'; readonly times: number; readonly body: Program }
  | { readonly kind: 'attempt'; readonly body: Program; readonly rescue: Program; readonly last: Program }

const RETRIES = 1
const ms = fc.constantFrom(0, 0, 1, 5, 30, 400)
const name = fc.constantFrom('a', 'b', 'c')

export const programs: fc.Arbitrary<Program> = fc.letrec<{ program: Program; leaf: Program }>((tie) => ({
  leaf: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('run' as const), name, failures: fc.constantFrom(0, 0, 0, 1, 2), ms }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('undoable' as const), name, ms }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('sleep' as const), ms }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('signal' as const), ms }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'checkpoint' as const }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('transaction' as const), ms }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'fail' as const }) },
  ),
  program: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'program' },
    tie('leaf'),
    fc.record({
      kind: fc.constantFrom(
        'all' as const,
        'race' as const,
        'allSettled' as const,
        'inTurn' as const,
        'inTurn' as const,
      ),
      parts: fc.array(tie('program'), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant('loop' as const), times: fc.integer({ min: 1, max: 3 }), body: tie('program') }),
    fc.record({ kind: fc.constant('timer' as const), ms, work: tie('program') }),
    fc.record({ kind: fc.constant('chance' as const), heads: tie('program'), tails: tie('program') }),
    fc.record({
      kind: fc.constant('attempt' as const),
      body: tie('program'),
      rescue: tie('program'),
      last: tie('program'),
    }),
  ),
})).program

/** What happens outside of the run: how often each call was performed, and what the code saw, process by process. */
export class World {
  /** By `kind sequence`: how often it was performed. */
  readonly performed = new Map<string, number>()
  readonly traces: string[][] = []
  /** Waits by the clock of the test. */
  readonly delay: (ms: number) => Promise<void>

  constructor(delay: (ms: number) => Promise<void>) {
    this.delay = delay
  }

  perform(kind: string, sequence: number): void {
    const key = `${kind} ${sequence}`
    this.performed.set(key, (this.performed.get(key) ?? 0) + 1)
  }

  /** The code of a program, with what it does to this world. */
  codeOf(program: Program): Code {
    return async (context) => {
      const trace: string[] = []
      this.traces.push(trace)
      context.onCancel(async () => {
        trace.push('cancelled')
        await context.run('clean up', ({ sequence }) => this.perform('activity', sequence))
      })
      return await new Interpreter(this, context, trace).run(program)
    }
  }
}

class Interpreter {
  readonly #world: World
  readonly #context: DurableContext
  readonly #trace: string[]

  constructor(world: World, context: DurableContext, trace: string[]) {
    this.#world = world
    this.#context = context
    this.#trace = trace
  }

  async run(program: Program): Promise<unknown> {
    try {
      const value = await this.#perform(program)
      this.#trace.push(`${program.kind} gave ${JSON.stringify(value)}`)
      return value
    } catch (error) {
      this.#trace.push(`${program.kind} threw ${(error as Error).message}`)
      throw error
    }
  }

  async #perform(program: Program): Promise<unknown> {
    const context = this.#context
    const world = this.#world
    switch (program.kind) {
      case 'run':
        return await context.run(
          program.name,
          async ({ attempt, sequence }) => {
            world.perform('activity', sequence)
            if (program.ms > 0) await world.delay(program.ms)
            if (attempt <= program.failures) throw new Error(`not at attempt ${attempt}`)
            return sequence
          },
          { retry: { retries: RETRIES, initial: '1s' } },
        )
      case 'undoable':
        return await context.run(undoable(world, program.name, program.ms))
      case 'sleep':
        await context.sleep(program.ms)
        return context.now() > 0
      case 'signal':
        return await context.signal('never', undefined, { timeout: program.ms })
      case 'timer':
        return await this.#runWithTimer(program.ms, program.work)
      case 'checkpoint':
        await context.checkpoint({ at: 1 })
        return context.lastCheckpoint()
      case 'transaction':
        return await context.transaction('move', async () => {
          if (program.ms > 0) await world.delay(program.ms)
          return 'moved'
        })
      case 'chance':
        return await this.run(context.random() < 0.5 ? program.heads : program.tails)
      case 'fail':
        throw new Error('as written')
      case 'inTurn':
        return await this.#runInTurn(program.parts)
      case 'loop':
        return await this.#runInTurn(Array.from({ length: program.times }, () => program.body))
      case 'attempt':
        return await this.#attempt(program)
      case 'all':
        return await Promise.all(program.parts.map((part) => this.run(part)))
      case 'race':
        return await Promise.race(program.parts.map((part) => this.run(part)))
      case 'allSettled': {
        const results = await Promise.allSettled(program.parts.map((part) => this.run(part)))
        return results.map(({ status }) => status)
      }
    }
  }

  async #runInTurn(parts: readonly Program[]): Promise<unknown> {
    const values: unknown[] = []
    for (const part of parts) values.push(await this.run(part))
    return values
  }

  async #runWithTimer(afterMs: number, work: Program): Promise<unknown> {
    const timer = this.#context.timer('late', this.#context.now() + afterMs)
    const first = await Promise.race([timer.then((how) => `timer ${how}`), this.run(work)])
    timer.cancel()
    return [first, await timer]
  }

  async #attempt({ body, rescue, last }: Extract<Program, { kind: 'attempt' }>): Promise<unknown> {
    try {
      return await this.run(body)
    } catch {
      return await this.run(rescue)
    } finally {
      await this.run(last)
    }
  }
}

function undoable(world: World, id: string, afterMs: number) {
  return activity<undefined, number>(id, {
    retry: { retries: RETRIES },
    run: async (_, { sequence }) => {
      world.perform('activity', sequence)
      if (afterMs > 0) await world.delay(afterMs)
      return sequence
    },
    compensate: async (_, { sequence }) => {
      world.perform('compensation', sequence)
      if (afterMs > 0) await world.delay(afterMs)
    },
  })
}
