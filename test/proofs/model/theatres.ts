import { memory } from '../../../src/store/memory/memory.ts'
import { Bench, START_AT } from '../../suites/conformance/bench.ts'
import { ManualEnv } from '../../suites/conformance/manual-env.ts'
import { HeldCommit, UndoneError } from '../transaction-races/held-commit.ts'
import { envOf } from '../transaction-races/serial.ts'
import type { Actor, Stage } from '../transaction-races/stage.ts'
import type { Sent, Theatre } from './replay.ts'

/** The memory store: every statement is done at once. */
export async function memoryTheatre(): Promise<Theatre> {
  const bench = new Bench(() => memory(), new ManualEnv(START_AT))
  await bench.open()
  return {
    bench,
    most: 1,
    send: (ask) => {
      return Promise.resolve({
        isBlocked: false,
        commit: () => ask(bench.store),
        undo: () => Promise.resolve(),
        goesOn: () => Promise.reject(new Error('Nothing waits for a lock here.')),
      })
    },
  }
}

/** A real PostgreSQL: several statements stand before their commits at once, each on a connection of its own. */
export async function postgresTheatre(stage: Stage, actors: number): Promise<Theatre> {
  const bench = await stage.begin(envOf(stage.nextNumber()))
  const free = Array.from({ length: actors }, (_, index) => stage.actor(index + 1))
  const send: Theatre['send'] = async (ask) => {
    const actor = free.pop()
    if (!actor) throw new Error('More is under way than there are connections for.')
    const held = new HeldCommit(1)
    actor.held = held
    const answer = ask(actor.store)
    const done = Promise.race([held.arrived, answer])
    // What it fails with is told to who asks for the answer.
    answer.catch(() => {})
    const isBlocked = !(await stage.settles(done, actor))
    actor.held = null
    return sentBy(stage, actor, { held, answer, isBlocked }, () => free.push(actor))
  }
  return { bench, most: actors - 1, send }
}

interface Held {
  readonly held: HeldCommit
  readonly answer: Promise<unknown>
  readonly isBlocked: boolean
}

function sentBy(stage: Stage, actor: Actor, { held, answer, isBlocked }: Held, letGo: () => void): Sent {
  if (isBlocked) held.commit()
  const end = async () => {
    try {
      return await answer
    } finally {
      letGo()
    }
  }
  return {
    isBlocked,
    commit: async () => {
      held.commit()
      return await end()
    },
    undo: async () => {
      held.undo()
      await end().catch((error: unknown) => {
        if (!(error instanceof UndoneError)) throw error
      })
    },
    goesOn: async () => {
      const isDone = await stage.settles(answer, actor)
      return { isDone, answer: isDone ? await end() : null }
    },
  }
}
