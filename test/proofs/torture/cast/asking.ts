import { setTimeout as sleep } from 'node:timers/promises'
import { PontualError, StoreUnavailableError } from '../../../../src/index.ts'
import type { Chance } from '../../../harness/chance.ts'
import type { Answered, Asked } from '../history/lines.ts'
import type { HistoryWriter } from '../history/writer.ts'

/** What is asked for, but for the number that each asking gets. */
export type Question = Omit<Asked, 'at' | 'by' | 'kind' | 'request'>

/** What became of one asking. */
export type Answer = Pick<Answered, 'outcome' | 'subject' | 'detail'>

const LEAST_WAIT_MS = 100
const MOST_WAIT_MS = 800

/** Asks, writes down that it asks and what it is told, and asks again for as long as nobody knows whether it was done. */
export class Asking {
  readonly #history: HistoryWriter
  readonly #by: string
  readonly #chance: Chance
  #requests = 0

  constructor(history: HistoryWriter, by: string, chance: Chance) {
    this.#history = history
    this.#by = by
    this.#chance = chance
  }

  async persist(question: Question, send: () => Promise<Omit<Answer, 'outcome'>>): Promise<Answer> {
    for (;;) {
      const answer = await this.once(question, send)
      if (answer.outcome !== 'unknown') return answer
      await sleep(this.#chance.between(LEAST_WAIT_MS, MOST_WAIT_MS))
    }
  }

  async once(question: Question, send: () => Promise<Omit<Answer, 'outcome'>>): Promise<Answer> {
    this.#requests += 1
    const request = `${this.#by}-${this.#requests}`
    this.#history.write({ kind: 'asked', request, ...question })
    const answer = await settle(send)
    this.#history.write({ kind: 'answered', request, ...answer })
    return answer
  }
}

/** A request over HTTP that was not answered, or not for good. */
export class NoAnswerError extends Error {}

async function settle(send: () => Promise<Omit<Answer, 'outcome'>>): Promise<Answer> {
  try {
    return { outcome: 'accepted', ...(await send()) }
  } catch (error) {
    const outcome = error instanceof NoAnswerError || error instanceof StoreUnavailableError ? 'unknown' : 'refused'
    return { outcome, detail: tellError(error) }
  }
}

function tellError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message } = error
  return error instanceof PontualError ? { name, code: error.code, message } : { name, message }
}
