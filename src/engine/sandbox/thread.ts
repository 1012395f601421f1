import process from 'node:process'
import { Worker } from 'node:worker_threads'
import { EMBEDDED_ISOLATE, programBeside } from '../../embedded.ts'
import { type Channel, type ChannelEvents, type ChannelOptions, isNews, unreadable } from './channel.ts'
import { inherited, preloaded } from './inherited-arguments.ts'
import { type ThreadData, weightOf } from './messages.ts'

export function openThread({ jobType, memoryMb }: ChannelOptions, events: ChannelEvents): Channel {
  // What it has said and nobody has heard yet; a thread that says more than the node can hear has to wait.
  const unheard = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const program = programBeside(import.meta.url, 'engine/sandbox/thread', 'inside/main', EMBEDDED_ISOLATE)
  const worker = new Worker('file' in program ? program.file : program.code, {
    eval: 'code' in program,
    name: `pontual ${jobType}`,
    workerData: { unheard, preloads: preloaded(process.execArgv) } satisfies ThreadData,
    // Nothing comes this way once it has taken over its streams.
    stdout: true,
    stderr: true,
    // Left out, it gets all there are, also those that only the node itself may have. Given, it may not hold flags of V8.
    ...(process.execArgv.some((each) => each.startsWith('--input-type'))
      ? { execArgv: inherited(process.execArgv) }
      : {}),
    ...(memoryMb === null ? {} : { resourceLimits: { maxOldGenerationSizeMb: memoryMb } }),
  })
  let problem: unknown = null
  worker.stdout.setEncoding('utf8').on('data', (text: string) => events.onOutput('stdout', text))
  worker.stderr.setEncoding('utf8').on('data', (text: string) => events.onOutput('stderr', text))
  worker.on('message', (message: unknown) => {
    if (!isNews(message)) return
    try {
      if (message.kind === 'output') events.onOutput(message.stream, message.text)
      else events.onNews(message)
      Atomics.sub(unheard, 0, weightOf(message))
      Atomics.notify(unheard, 0)
    } catch (error) {
      // Messages may still arrive while the thread is being terminated, and every call of terminate() adds a listener.
      if (problem === null) void worker.terminate()
      problem ??= unreadable(error)
    }
  })
  worker.on('error', (error) => {
    problem = error
  })
  worker.on('exit', (exitCode) => {
    const isOutOfMemory = (problem as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    events.onEnd({ exitCode, signal: null, isOutOfMemory, cause: isOutOfMemory ? null : problem })
  })
  return {
    send: (order) => worker.postMessage(order),
    kill: () => void worker.terminate(),
  }
}
