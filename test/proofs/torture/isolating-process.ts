import { job, memory, pontual } from '../../../src/index.ts'
import { loggerTo } from '../../../src/logger.ts'
import type { Input } from '../../suites/scenarios/isolated-handlers.ts'

/** A node whose only isolated handler blocks its process; says which process that is once it does. */
const module = new URL('../../suites/scenarios/isolated-handlers.ts', import.meta.url)
const work = job<Input>('work', { isolate: { kind: 'process', module, export: 'perform' } })
let pid = 0
const logger = loggerTo((_level, message) => {
  if (message === 'logged') process.stdout.write(`${pid}\n`)
})
const app = pontual({ store: memory(), jobs: [work], logger })
await app.start()
const { id } = await app.enqueue(work, { what: 'where' })
const { output } = await app.waitFor(id)
pid = (output as { pid: number }).pid
await app.enqueue(work, { what: 'block' })
