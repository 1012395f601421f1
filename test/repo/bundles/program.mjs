// A program that a bundler makes one file of. It prints what it has seen as one line of JSON.
import process from 'node:process'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { currentExecution, job, pontual } from 'pontual'
import { pglite } from 'pontual/pglite'
import { postgres } from 'pontual/postgres'

const { DATABASE_URL, HANDLER } = process.env
const exporter = new InMemorySpanExporter()
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())

const logged = []
const write = (message, fields) => void logged.push(`${message} ${fields?.error ?? fields?.reason ?? ''}`)
const logger = { debug: () => {}, info: () => {}, warn: write, error: write }

const plain = job('plain', { run: (input) => [input, currentExecution()?.jobType] })
const inThread = job('in-thread', {
  isolate: 'thread',
  run: async (input) => {
    const { isMainThread } = await import('node:worker_threads')
    return [input, isMainThread]
  },
})
const inProcess = job('in-process', {
  isolate: 'process',
  run: async (input) => {
    const { default: process } = await import('node:process')
    return [input, process.connected]
  },
})
const fromModule = job('from-module', { isolate: { kind: 'thread', module: HANDLER } })
const moduleInProcess = job('module-in-process', { isolate: { kind: 'process', module: HANDLER } })

async function main() {
  const app = pontual({
    store: DATABASE_URL ? postgres(DATABASE_URL) : pglite(),
    jobs: [plain, inThread, inProcess, fromModule, moduleInProcess],
    staleThreshold: '12s',
    renewalInterval: '2s',
    logger,
  })
  await app.start()
  const results = {}
  for (const type of [plain, inThread, inProcess, fromModule, moduleInProcess]) {
    const { id } = await app.enqueue(type, 1)
    const { status, output, error } = await app.waitFor(id, { timeout: '30s' })
    results[type.id] = status === 'SUCCESS' ? output : `${status} ${error?.message}`
  }
  // The event loop stands still for three renewals: only a thread can make them.
  if (DATABASE_URL) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 7_000)
  const [node] = await app.nodes()
  const renewedMsAgo = Date.now() - node.renewedAt
  await app.stop()
  const spans = exporter.getFinishedSpans().map(({ name }) => name)
  process.stdout.write(`${JSON.stringify({ results, renewedMsAgo, logged, spans })}\n`)
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
})
