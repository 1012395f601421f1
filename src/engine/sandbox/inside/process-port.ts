import process from 'node:process'
import { Worker } from 'node:worker_threads'
import type { NodePort } from '../messages.ts'
import { END_OF_OUTPUT, type News, type Order } from '../messages.ts'
import { HAS_GROUP, killGroup } from '../process-group.ts'

export function processPort(): NodePort {
  const send = process.send?.bind(process)
  if (!send) throw new Error('This file is started by Pontual, as a thread or as a process.')
  // The channel is ours: what asks whether it can talk to a parent finds none.
  Reflect.set(process, 'send', undefined)
  const { stdout, stderr } = process
  for (const stream of [stdout, stderr]) writeAtOnce(stream)
  const writes = [stdout.write.bind(stdout), stderr.write.bind(stderr)]
  // The node decides when its isolates end, also where a signal reaches all processes of a service.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.once('disconnect', endAlone)
  watchParent()
  const post = (news: News, sent?: () => void) => {
    // A node that is gone hears nothing; the channel's end is told by itself.
    send(news, () => sent?.())
  }
  return {
    send: (news) => post(news),
    hear: (listener) => void process.on('message', (order) => listener(order as Order)),
    endOutput: () => {
      for (const write of writes) write(END_OF_OUTPUT)
    },
    leave: (exitCode, news) => {
      if (news) post(news, () => process.exit(exitCode))
      else process.exit(exitCode)
    },
  }
}

/** The node is gone, and nobody else is left to end what this process has started. */
function endAlone(): void {
  if (HAS_GROUP) process.once('exit', () => killGroup(process.pid))
  process.exit()
}

/** Without this what is printed before an exit or a crash may still wait in the process, and is lost with it. */
function writeAtOnce(stream: NodeJS.WriteStream): void {
  const { _handle: handle } = stream as { _handle?: { setBlocking?: (isBlocking: boolean) => unknown } }
  handle?.setBlocking?.(true)
}

/**
 * Runs beside the handler, so that it goes on where the handler blocks its event loop. It is text, not a file: it needs none of the loaders with
 * which a file would come, and starts in a few milliseconds.
 */
const WATCH = `
const { workerData: parent } = require('node:worker_threads')
const isAlive = () => {
  if (process.ppid !== parent) return false
  try {
    return process.kill(parent, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
setInterval(() => {
  if (isAlive()) return
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    process.kill(process.pid, 'SIGKILL')
  }
}, 1000)`

/** Ends this process, and what it has started, when its parent is gone: a loop that is blocked does not hear that the channel is closed. */
export function watchParent(): void {
  const watch = new Worker(WATCH, {
    eval: true,
    workerData: process.ppid,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  })
  // Without it the process still ends when its channel does.
  watch.on('error', () => {})
  watch.unref()
}
