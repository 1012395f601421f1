import process from 'node:process'
import { StringDecoder } from 'node:string_decoder'
import type { MessagePort } from 'node:worker_threads'
import type { NodePort } from '../messages.ts'
import { END_OF_OUTPUT, MAX_UNHEARD, type News, type Order, type OutputStream, weightOf } from '../messages.ts'

/** How long a thread that has said too much waits before it looks again. */
const LOOK_AGAIN_MS = 100

export function threadPort(port: MessagePort, unheard: Int32Array): NodePort {
  const send = (news: News) => {
    // As a pipe that is full would do. What says little is let through, so that the end of a run is never held up by its output.
    const isBulk = news.kind === 'output' || news.kind === 'log'
    for (let said = Atomics.load(unheard, 0); isBulk && said > MAX_UNHEARD; said = Atomics.load(unheard, 0)) {
      Atomics.wait(unheard, 0, said, LOOK_AGAIN_MS)
    }
    Atomics.add(unheard, 0, weightOf(news))
    port.postMessage(news)
  }
  takeOver('stdout', send)
  takeOver('stderr', send)
  return {
    send,
    hear: (listener) => void port.on('message', (order: Order) => listener(order)),
    endOutput: () => {
      send({ kind: 'output', stream: 'stdout', text: END_OF_OUTPUT })
      send({ kind: 'output', stream: 'stderr', text: END_OF_OUTPUT })
    },
    leave: (exitCode, news) => {
      if (news) send(news)
      process.exit(exitCode)
    },
  }
}

/** Node hands on what a thread prints when its event loop turns. A loop that is blocked never gets there: here every write goes at once. */
function takeOver(name: OutputStream, send: (news: News) => void): void {
  const decoder = new StringDecoder('utf8')
  const stream = process[name]
  stream._write = (chunk: string | Uint8Array, _encoding, callback) => {
    const text = typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk))
    send({ kind: 'output', stream: name, text })
    callback()
  }
  // One by one, each at once.
  Reflect.set(stream, '_writev', null)
}
