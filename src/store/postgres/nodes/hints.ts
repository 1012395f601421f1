import type { CancelTimer, Env } from '../../../clock.ts'
import type { Logger } from '../../../logger.ts'
import type { Driver, Statement } from '../../driver/driver.ts'
import type { Hint } from '../../store.ts'

const CHANNEL = 'pontual'
const NOTICES: readonly string[] = ['ready', 'woken', 'jobs', 'cancelled', 'news'] satisfies Notice[]

/** A notification takes a lock at commit that the whole database shares. */
const QUIET_MS = 5

const NOTIFY: Statement = { name: 'notify', text: `select pg_notify('pontual', $1)` }

/** Hints as notifications of the database, each kind at most once in {@link QUIET_MS}. */
export function createHints(driver: Driver, { env, logger }: { env: Env; logger: Logger }): Hints {
  const notifiedAt = new Map<Notice, number>()
  const owed = new Map<Notice, CancelTimer>()

  const send = (hint: Notice) => {
    notifiedAt.set(hint, env.monotonic())
    driver.query(NOTIFY, [hint]).catch((error: unknown) => logger.debug('A hint was not sent', { hint, error }))
  }

  const due = (hint: Notice): string | null => {
    const now = env.monotonic()
    if (now - (notifiedAt.get(hint) ?? Number.NEGATIVE_INFINITY) >= QUIET_MS) {
      notifiedAt.set(hint, now)
      owed.get(hint)?.()
      owed.delete(hint)
      return hint
    }
    // What is held back at the end of a burst would be found by the next poll only. While the burst goes on, the next one pays for it.
    if (!owed.has(hint)) {
      const pay = () => {
        owed.delete(hint)
        send(hint)
      }
      owed.set(hint, env.after(2 * QUIET_MS, pay))
    }
    return null
  }

  return {
    due,
    send: (hint) => {
      if (due(hint) !== null) send(hint)
    },
    listen: (onNotice) =>
      driver.listen(CHANNEL, (payload) => {
        if (isNotice(payload)) onNotice(payload)
      }),
  }
}

/** A newer node may send what this one does not know. */
function isNotice(payload: string): payload is Notice {
  return NOTICES.includes(payload)
}

/** A hint, or `woken`: something is ready again that is older than most of what is claimed now, so that others would look past it. */
type Notice = Hint | 'woken'

/** How a verb tells other nodes that it may have made work. */
export interface Hints {
  send(notice: Notice): void
  listen(onNotice: (notice: Notice) => void): () => void
  /** What to notify within a statement; null when it was notified less than 5 ms ago, or cannot be. */
  due(notice: Notice): string | null
}
