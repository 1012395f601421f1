import type { App } from '../../engine/app/app.ts'
import type { Service } from '../../engine/node/loop.ts'
import { Loop } from '../../engine/node/loop.ts'
import type { ServiceRules } from '../options.ts'
import { Dispatcher } from './dispatcher.ts'
import { mailerTo } from './mailer.ts'

const EVERY_MS = 5_000
/** How long to wait, at the end, for a mail server that does not answer. What it may have taken is sent again, under the same id. */
const GRACE_MS = 5_000

/** The duty to tell people: soon after something has failed in this process, and every few seconds what others have left. */
export function notifier(opened: App, rules: ServiceRules): Service {
  const { env, logger, telemetry } = opened.deps
  const dispatcher = dispatcherOf(opened, rules, () => loop.wake())
  const loop = new Loop({ name: 'notifier', env, logger, step: () => dispatcher.step(), everyMs: EVERY_MS })
  let unlisten: (() => void)[] = []
  return {
    start() {
      unlisten = [telemetry.on('execution.failed', () => loop.wake()), telemetry.on('job.faulted', () => loop.wake())]
      loop.start()
    },
    async stop() {
      for (const end of unlisten.splice(0)) end()
      let cancel = () => {}
      const late = new Promise<void>((resolve) => {
        cancel = env.after(GRACE_MS, resolve)
      })
      await Promise.race([loop.stop().then(() => dispatcher.rest()), late])
      cancel()
    },
  }
}

/** What tells people of one application, as its service was told to. */
export function dispatcherOf(
  { store, deps }: App,
  { mail, publicUrl, webhooks }: ServiceRules,
  onRoom?: () => void,
): Dispatcher {
  const { env, logger, time } = deps
  return new Dispatcher({
    env,
    logger,
    store,
    now: () => time.now(),
    mail: mail && { rules: mail, mailer: mailerTo(mail) },
    webhooks,
    publicUrl,
    onRoom,
  })
}
