import { storyOf } from '../claims.ts'
import { grouped } from '../grouped.ts'
import type { Rule } from '../rule.ts'

/** I16: a signal is taken once, and in the order in which they were sent. Each client sends the next one when it knows of the one before. */
export const HEARD_ONCE: Rule = {
  invariant: 'I16',
  what: 'signals that durable executions have heard, each once and in order',
  check(evidence, { saw, require }) {
    const sent = grouped(
      evidence.requests.filter(({ asked }) => asked.verb === 'signal'),
      ({ asked }) => asked.subject ?? '',
    )
    for (const [id, [end]] of evidence.ends) {
      if (end?.status !== 'SUCCESS' || end.output === null || !evidence.historyOf.has(id)) continue
      const { heard = [] } = JSON.parse(end.output) as { heard?: readonly unknown[] }
      const numbers = heard.map(numberIn)
      saw(numbers.length)
      const requests = sent.get(id) ?? []
      const accepted = new Set(
        requests.filter(({ answered }) => answered?.outcome === 'accepted').map(({ asked }) => numberIn(asked.input)),
      )
      const asked = new Set(requests.map(({ asked: { input } }) => numberIn(input)))
      const shown = () => [end, ...requests, ...storyOf(evidence, id)]
      require(new Set(numbers).size === numbers.length, () =>
        `${id} heard a signal twice: ${numbers.join(', ')}`, shown)
      require(numbers.every((each) => asked.has(each)), () =>
        `${id} heard what nobody sent: ${numbers.join(', ')}`, shown)
      const inOrder = numbers.toSorted((a, b) => a - b)
      require(inOrder.join() === numbers.join(), () => `${id} heard signals out of order: ${numbers.join(', ')}`, shown)
      const passed = [...accepted].filter((each) => each < Math.max(0, ...numbers) && !numbers.includes(each))
      require(passed.length === 0, () => `${id} never heard ${passed.join(', ')}, and heard later ones`, shown)
    }
  },
}

function numberIn(payload: unknown): number {
  return (payload as { number?: number } | null)?.number ?? Number.NaN
}
