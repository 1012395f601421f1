import type { App } from '../../../src/engine/app/app.ts'
import type { Service } from '../../../src/engine/node/loop.ts'
import { Loop } from '../../../src/engine/node/loop.ts'
import { silentLogger } from '../../../src/logger.ts'
import { Dispatcher } from '../../../src/service/notifications/dispatcher.ts'
import { mailRules } from '../../../src/service/notifications/mail-options.ts'
import type { Mailer } from '../../../src/service/notifications/mailer.ts'
import { outboundRules } from '../../../src/service/outbound/target.ts'
import type { Chance } from '../../harness/chance.ts'
import type { Ledger } from './ledger.ts'
import type { Machine } from './machine.ts'
import type { VirtualTime } from './virtual-time.ts'

const RULES = mailRules({ host: 'mail.example.com', from: 'jobs@example.com' })
const SLOWEST_MS = 2_000
const EVERY_MS = 5_000

export interface MailServerOptions {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly ledger: Ledger
  /** Whether something may go wrong with a mail: it is not taken, or taken without a word. */
  readonly isTroubled: () => boolean
}

/** Where mails go. What it has taken stands in the ledger, under the id of the mail. */
export class MailServer {
  readonly #options: MailServerOptions

  constructor(options: MailServerOptions) {
    this.#options = options
  }

  /** What tells people of failures, in one process: the dispatcher of the service, with this server behind it. */
  notifier(machine: Machine, { store, deps: around }: App): Service {
    const env = machine.env()
    const dispatcher = new Dispatcher({
      env,
      store,
      logger: silentLogger,
      now: () => around.time.now(),
      mail: { rules: RULES, mailer: this.#mailer(machine) },
      webhooks: outboundRules({}),
      publicUrl: null,
      onRoom: () => loop.wake(),
    })
    const step = () => dispatcher.step()
    const loop: Loop = new Loop({ name: 'notifier', env, logger: silentLogger, everyMs: EVERY_MS, step })
    return loop
  }

  #mailer(machine: Machine): Mailer {
    const { time, chance, ledger, isTroubled } = this.#options
    const isSo = (probability: number) => isTroubled() && chance.isIn(probability)
    return {
      send: ({ messageId }) =>
        new Promise((resolve, reject) => {
          time.after(chance.between(0, SLOWEST_MS), () => {
            if (isSo(0.2)) return machine.whenAble(() => reject(away()))
            ledger.note({ at: time.now, machine: machine.name, executionId: messageId, attempt: 1, kind: 'told' })
            if (isSo(0.1)) return machine.whenAble(() => reject(away()))
            machine.whenAble(() => resolve([]))
          })
        }),
    }
  }
}

function away(): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
}
