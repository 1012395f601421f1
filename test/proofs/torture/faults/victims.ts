import type { Chance } from '../../../harness/chance.ts'
import type { Stage, TorturedNode, Wire } from '../stage.ts'

/** Some of several, at least one, in an order that means nothing. */
export function pickSome<Value>(chance: Chance, values: readonly Value[]): Value[] {
  const left = [...values]
  const count = chance.between(1, Math.max(1, left.length))
  return Array.from({ length: Math.min(count, left.length) }, () => {
    return left.splice(chance.between(0, left.length - 1), 1) as [Value]
  }).flat()
}

/** The nodes that can be struck now: others are being ended or replaced already, and do not count. */
export function nodesUp({ nodes }: Stage): TorturedNode[] {
  return nodes.filter(({ isUp }) => isUp)
}

/** Wires that some fault has in its hands: another leaves them alone, else it would heal what is not its own. */
const taken = new WeakSet<Wire>()

/** Does something to some of the wires, of nodes and of clients, and opens them again whatever happens. */
export async function toSomeWires<Result>(
  stage: Stage,
  chance: Chance,
  work: (wires: readonly Wire[]) => Promise<Result>,
): Promise<Result> {
  const all = [...stage.nodes.map(({ wire }) => wire), ...stage.clientWires]
  const wires = pickSome(
    chance,
    all.filter((wire) => !taken.has(wire)),
  )
  for (const wire of wires) taken.add(wire)
  try {
    return await work(wires)
  } finally {
    for (const wire of wires) {
      wire.set('open')
      taken.delete(wire)
    }
  }
}
