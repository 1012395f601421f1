import { PRIORITIES } from '../../../../src/job/rules/priority.ts'
import type { Chance } from '../../../harness/chance.ts'
import type { Task } from '../user-code.ts'
import { TYPES_OF_ONE_VERSION } from '../versions.ts'
import { type Act, type Asking, OTHER_TENANT, TENANT } from './asking.ts'

function drawTask(chance: Chance): Task {
  const isPoison = chance.isIn(0.04)
  return {
    runMs: chance.pick([0, 10, 500, 3_000, 20_000]),
    failures: chance.isIn(0.2) ? chance.between(1, 5) : 0,
    killsAt: isPoison || chance.isIn(0.05) ? chance.between(1, 2) : 0,
    isPoison,
    isDeaf: chance.isIn(0.2),
  }
}

export const enqueueTask: Act = async (asking) => {
  const { chance, configuration } = asking
  // Two tenants use the same keys for different things.
  const tenant = chance.isIn(0.3) ? OTHER_TENANT : TENANT
  const types = ['task', 'task', 'task', 'spread', ...(configuration.hasTwoVersions ? TYPES_OF_ONE_VERSION : [])]
  const key = `key ${Math.ceil(asking.nextNumber() / 2)}`
  await put(asking, { type: chance.pick(types), key, input: drawTask(chance), tenant })
}

/** Of which only a few may start within a time. */
export const enqueueLimited: Act = async (asking) => {
  const input: Task = { runMs: asking.chance.pick([0, 500]), failures: 0, killsAt: 0, isDeaf: false }
  await put(asking, { type: 'limited', key: `limited ${asking.nextNumber()}`, input })
}

/** The same key means the same execution, whoever asks and however often. */
export const enqueueAgain: Act = async (asking) => {
  const known = [...asking.promised.enqueued.keys()].filter((key) => key.includes(' key '))
  if (known.length === 0) return
  const [tenant = '', type = '', ...key] = asking.chance.pick(known).split(' ')
  await put(asking, { type, key: key.join(' '), input: null, tenant })
}

export const cancelAny: Act = async ({ app, chance, promised, persist, time }) => {
  const ids = [...promised.enqueued.values()]
  if (ids.length === 0) return
  const id = chance.pick(ids)
  const answer = await persist(() => app.cancel(id, 'no longer needed'))
  if (answer === 'cancelled') promised.cancelled.set(id, time.now)
}

interface Wanted {
  readonly type: string
  readonly key: string
  readonly input: unknown
  readonly tenant?: string
}

/** Asks for an execution under a key. */
export async function put(asking: Asking, { type, key, input, tenant = TENANT }: Wanted): Promise<string> {
  const { app, chance, promised, persist, inputs } = asking
  const name = `${tenant} ${type} ${key}`
  if (!inputs.has(name)) inputs.set(name, input)
  const durable = type === 'order'
  const options = { tenant, idempotencyKey: key, durable, priority: chance.pick(PRIORITIES) }
  const { id } = await persist(() => app.enqueue(type, inputs.get(name), options))
  const before = promised.enqueued.get(name)
  if (before !== undefined && before !== id) throw new TypeError(`I9: ${name} means ${before} and ${id}`)
  promised.enqueued.set(name, id)
  return id
}
