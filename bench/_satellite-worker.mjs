import { setTimeout as sleep } from 'node:timers/promises'
import { contestant } from './_contestants.mjs'
import { monotonicMs } from './_measure.mjs'

// A second process of a contestant, which does what it is asked for; it ends with the one that started it.
const { name, aim, place } = JSON.parse(process.argv[2])
process.once('disconnect', () => process.exit())
const queue = await contestant(name).load(aim)
await queue.setup(place)
let handled = 0

const DEEDS = { work, rest, account, produce }
process.on('message', ({ deed, options }) => void answer(deed, options))
process.send({ isReady: true })

async function answer(deed, options) {
  process.send({ answer: await DEEDS[deed](options) })
}

async function work({ jobMs }) {
  await queue.start(async () => {
    if (jobMs > 0) await sleep(jobMs)
    handled++
  })
}

async function rest() {
  await queue.stop()
}

function account() {
  const { user, system } = process.cpuUsage()
  return { handled, cpuMs: (user + system) / 1000, peakMb: process.resourceUsage().maxRSS / 1024 }
}

/** One job every `everyMs`, which carries the instant just before it is enqueued, beside `perSecond` others. */
async function produce({ count, everyMs, perSecond }) {
  const stop = startBackground(perSecond)
  for (let n = 0; n < count; n++) {
    const at = monotonicMs()
    await queue.enqueueOne({ n, at })
    await sleep(Math.max(0, at + everyMs - monotonicMs()))
  }
  stop()
}

const STEP_MS = 10
const MOST_UNDER_WAY = 50

function startBackground(perSecond) {
  let underWay = 0
  const batch = Array.from({ length: Math.round((perSecond * STEP_MS) / 1000) }, () => ({ n: -1 }))
  const step = async () => {
    // Who cannot keep up has a smaller background.
    if (batch.length === 0 || underWay >= MOST_UNDER_WAY) return
    underWay++
    await queue.enqueueMany(batch)
    underWay--
  }
  const timer = setInterval(() => void step(), STEP_MS)
  return () => clearInterval(timer)
}
