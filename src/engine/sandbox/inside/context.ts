import { decodeValue, encodeValue } from '../../../durable/codec.ts'
import type { JobContext } from '../../../job/type/job-type.ts'
import { loggerTo, toJsonLine } from '../../../logger.ts'
import { requireFraction } from '../../running/progress-report.ts'
import type { RunFacts } from '../messages.ts'
import type { NodePort } from './port.ts'
import type { Questions } from './questions.ts'

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
