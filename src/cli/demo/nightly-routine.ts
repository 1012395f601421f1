import { z } from 'zod'
import { SeededRandom } from '../../durable/seeded-random.ts'
import { type AnyJobType, job } from '../../job/type/job-type.ts'
import { type Pace, takeStep } from './pace.ts'
import type { DemoTexts } from './texts.ts'

/** `NightlyRoutine`: processes items in batches, as most nightly work does. Operators have created jobs of this type at midnight of several time zones. */
export function nightlyRoutine({ nightlyRoutine: texts }: DemoTexts, pace: Pace): AnyJobType {
  return job(texts.name, {
    queue: texts.queue,
    input: z.strictObject({
      things: z.string().min(3).max(40).describe(texts.fields.things),
      batches: z.int().min(1).max(100).default(6).describe(texts.fields.batches),
    }),
    run: async ({ things, batches }, { executionId, signal, logger, progress }) => {
      const luck = new SeededRandom(executionId)
      let done = 0
      for (let batch = 1; batch <= batches; batch += 1) {
        await takeStep(pace, signal)
        const size = 20 + Math.floor(luck.next() * 80)
        done += size
        if (size > 90) logger.warn(texts.largeBatch, { things, batch, size })
        else logger.info(texts.batchDone, { things, batch, size })
        progress(batch / batches, `${done} ${things}`)
      }
      return { things, done }
    },
  })
}
