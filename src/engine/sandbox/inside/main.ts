import process from 'node:process'
import { parentPort, workerData } from 'node:worker_threads'
import { eventLoopTurn } from '../../../clock.ts'
import { decodeValue, encodeOutput } from '../../../durable/codec.ts'
import { runAs } from '../../running/current-execution.ts'
import { markIsolate } from '../isolate-mark.ts'
import type { News, Order, ThreadData } from '../messages.ts'
import { describeError, describeHopeless, rebuildError } from '../sent-error.ts'
import { isolatedContext, Questions } from './context.ts'
import { type IsolatedHandler, loadHandler, preload } from './load-handler.ts'
import { processPort } from './process-port.ts'
import { threadPort } from './thread-port.ts'

const thread = parentPort && (workerData as ThreadData)
const port = parentPort && thread ? threadPort(parentPort, thread.unheard) : processPort()
let jobType = ''
let handler: Promise<IsolatedHandler> | null = null
let current: { readonly run: number; readonly controller: AbortController; readonly questions: Questions } | null = null

process.on('uncaughtException', fail)
port.hear(obey)

function obey(order: Order): void {
  switch (order.kind) {
    case 'load':
      jobType = order.jobType
      markIsolate(jobType)
      // A process has loaded them by itself.
      handler = preload(thread?.preloads ?? []).then(() => loadHandler(order.handler, jobType))
      handler.then(() => port.send({ kind: 'ready' }), fail)
      break
    case 'run':
      void perform(order)
      break
    case 'abort':
      if (current?.run === order.run) current.controller.abort(rebuildError(order.reason))
      break
    case 'answer':
    case 'refusal':
      if (current?.run === order.run) current.questions.answer(order)
      break
    case 'stop':
      port.leave(0)
  }
}

async function perform({ run, input, facts }: Order & { kind: 'run' }): Promise<void> {
  const controller = new AbortController()
  const questions = new Questions()
  current = { run, controller, questions }
  // One that cannot be loaded ends the isolate.
  const call = await handler?.catch(() => null)
  if (!call) return
  // An abort may have come right behind it, and is heard first.
  await eventLoopTurn()
  const { signal } = controller
  const context = isolatedContext(run, facts, { signal, port, questions })
  const news = await outcomeOf(run, () => {
    // What was over before its handler was loaded does not begin.
    signal.throwIfAborted()
    port.send({ kind: 'begun', run })
    return runAs(context, () => call(decodeValue(input), context))
  })
  current = null
  port.endOutput()
  port.send(news)
}

async function outcomeOf(run: number, call: () => unknown): Promise<News> {
  let output: unknown
  try {
    output = await call()
  } catch (error) {
    return { kind: 'failed', run, error: describeError(error) }
  }
  try {
    return { kind: 'done', run, output: encodeOutput(output, `Output of job type "${jobType}"`) }
  } catch (error) {
    return { kind: 'failed', run, error: describeHopeless(error) }
  }
}

function fail(error: unknown): void {
  port.leave(1, { kind: 'fatal', error: describeError(error) })
}
