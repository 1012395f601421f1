import type { Env } from '../../clock.ts'
import { PontualError } from '../../errors.ts'
import type { AlertView } from '../../service/overview-answers.ts'
import { overHttp } from '../client/over-http.ts'
import type { DevAddress } from '../dev-address.ts'
import { formatSpan } from '../print/age.ts'
import type { Glance } from '../top/glance.ts'
import { GlanceReader } from '../top/read-glance.ts'
import { type Finding, find } from './finding.ts'
import { type Judgement, ok, skipped, some, together, warn } from './judgement.ts'

const LONG_MS = 5 * 60_000

/** What can be seen of a database through the `pontual dev` that has it open. */
export async function* examineDev({ url, pid }: DevAddress, env: Env): AsyncGenerator<Finding> {
  const connection = overHttp({ url, credentials: {}, env })
  const held = `pontual dev (process ${pid}) has it open, and is asked about it at ${url}; clock, migrations, tables and leftovers are looked at once it is stopped`
  yield { check: 'database', ...skipped(held) }
  let glance: Glance
  try {
    glance = await new GlanceReader(connection, env).read(new AbortController().signal)
  } catch (error) {
    if (!(error instanceof PontualError)) throw error
    yield { check: 'service', ...warn(`It gives no answer: ${error.message}`, 'Its terminal says what it does.') }
    return
  }
  yield { check: 'service', ...ok(`answers at ${url}`) }
  yield await find('nodes', () => judgeLiving(glance))
  yield await find('queue', () => judgeWaiting(glance))
  yield await find('alerts', () => judgeAlerts(glance.alerts ?? []))
}

function judgeLiving({ nodes }: Glance): Judgement {
  const alive = nodes.filter(({ isAlive }) => isAlive)
  const slots = alive.reduce((sum, each) => sum + each.slots, 0)
  if (alive.length > 0) return ok(`${alive.length} alive, ${slots} slots`)
  return warn('No node lives: nothing fires, and nothing runs.', 'Stop pontual dev and start it again.')
}

function judgeWaiting({ queued, oldestWaitMs }: Glance): Judgement {
  if (queued === 0 || oldestWaitMs === null) return ok(queued === 0 ? 'empty' : `${queued} wait`)
  const text = `the oldest of ${queued} has waited for ${formatSpan(oldestWaitMs)}`
  return oldestWaitMs < LONG_MS
    ? ok(text)
    : warn(`Work does not begin: ${text}.`, 'npx pontual top shows what has the slots.')
}

function judgeAlerts(alerts: readonly AlertView[]): Judgement {
  const open = alerts.filter(({ isOpen }) => isOpen)
  const names = some(open.map(({ name, jobName }) => (jobName === null ? name : `${name} (${jobName})`)))
  return together([open.length > 0 && warn(`Open: ${names}.`, open[0]?.action ?? '')], 'none is open')
}
