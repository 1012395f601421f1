import { decodeValue, encodeValue } from '../../../durable/codec.ts'
import type { JobContext } from '../../../job/type/job-type.ts'
import { loggerTo, toJsonLine } from '../../../logger.ts'
import { requireFraction } from '../../running/attempt-context.ts'
import type { NodePort, Order, RunFacts } from '../messages.ts'
import { rebuildError } from '../sent-error.ts'

interface IsolatedSurroundings {
  readonly signal: AbortSignal
  readonly port: NodePort
  readonly questions: Questions
}

/** What a handler in an isolate is given: what it says goes to the node. */
export function isolatedContext(
  run: number,
  facts: RunFacts,
  { signal, port, questions }: IsolatedSurroundings,
): JobContext {
  return {
    ...facts,
    signal,
    logger: loggerTo((level, message, fields) =>
      port.send({ kind: 'log', run, level, message: String(message), fields: toJsonLine(fields) }),
    ),
    progress: (fraction, note) => {
      requireFraction(fraction)
      port.send({ kind: 'progress', run, fraction, note: note === undefined ? null : String(note) })
    },
    checkpoint: async (state) => {
      const text = encodeValue(state, 'State of checkpoint')
      await questions.ask((question) => port.send({ kind: 'checkpoint', run, question, text }))
    },
    lastCheckpoint: async <State>() =>
      decodeValue(await questions.ask((question) => port.send({ kind: 'lastCheckpoint', run, question }))) as
        | State
        | undefined,
  }
}

type Answer = Extract<Order, { readonly kind: 'answer' | 'refusal' }>

interface Waiting {
  readonly resolve: (text: string | null) => void
  readonly reject: (reason: Error) => void
}

/** What a handler in an isolate has asked its node, and waits for. */
export class Questions {
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0

  ask(send: (question: number) => void): Promise<string | null> {
    this.#asked += 1
    const question = this.#asked
    return new Promise((resolve, reject) => {
      this.#waiting.set(question, { resolve, reject })
      send(question)
    })
  }

  answer(answer: Answer): void {
    const waiting = this.#waiting.get(answer.question)
    this.#waiting.delete(answer.question)
    if (answer.kind === 'answer') waiting?.resolve(answer.text)
    else waiting?.reject(rebuildError(answer.reason) as Error)
  }
}
