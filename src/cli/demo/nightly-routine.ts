import { z } from 'zod'
import { SeededRandom } from '../../durable/seeded-random.ts'
import { type AnyJobType, job } from '../../job/job-type.ts'
import { type Pace, takeStep } from './pace.ts'

/** `RotinaNoturna`: goes through so many things of a kind, as most work at night does. Operators have made jobs of it, at midnight of their own. */
export function nightlyRoutine(pace: Pace): AnyJobType {
  return job('RotinaNoturna', {
    queue: 'noturna',
    input: z.strictObject({
      things: z.string().min(3).max(40).describe('O que é percorrido'),
      batches: z.int().min(1).max(100).default(6).describe('Em quantos lotes'),
    }),
    run: async ({ things, batches }, { executionId, signal, logger, progress }) => {
      const luck = new SeededRandom(executionId)
      let done = 0
      for (let batch = 1; batch <= batches; batch += 1) {
        await takeStep(pace, signal)
        const size = 20 + Math.floor(luck.next() * 80)
        done += size
        if (size > 90) logger.warn('A batch is large', { things, batch, size })
        else logger.info('A batch is done', { things, batch, size })
        progress(batch / batches, `${done} ${things}`)
      }
      return { things, done }
    },
  })
}
