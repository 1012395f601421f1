import type { Fault } from './fault.ts'
import { toSomeWires } from './victims.ts'

/** The server has committed, and whoever asked for it loses his connection instead of the answer: he cannot know. */
export const answersLost: Fault = {
  name: 'answers of commits lost',
  weight: 3,
  canOverlap: true,
  strike: (stage, chance) =>
    toSomeWires(stage, chance, async (wires) => {
      const over = new AbortController()
      const losing = wires.map((wire) => wire.cutAfterCommits(over.signal))
      try {
        await stage.wait(chance.between(500, 3_000))
      } finally {
        over.abort()
      }
      const lost = await Promise.all(losing)
      return { 'commits whose answer was lost': lost.reduce((sum, each) => sum + each, 0) }
    }),
}
