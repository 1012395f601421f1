import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const WORKER = fileURLToPath(new URL('./_satellite-worker.mjs', import.meta.url))

/** A second process of the contestant: `ask(deed, options)` resolves to what that deed of `_satellite-worker.mjs` answers. */
export async function launchSatellite({ name, aim, place }) {
  const child = fork(WORKER, [JSON.stringify({ name, aim, place })], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  child.once('exit', (code) => {
    if (code !== 0) throw new Error(`A second process of ${name} ended with ${code}.`)
  })
  await once(child, 'message')
  return {
    async ask(deed, options = {}) {
      child.send({ deed, options })
      const [{ answer }] = await once(child, 'message')
      return answer
    },
  }
}
