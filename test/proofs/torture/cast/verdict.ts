import type { Figure } from '../../record/record.ts'
import type { Report } from '../check/report.ts'
import type { Torture } from '../run-torture.ts'
import type { Struck } from './chaos.ts'
import type { Tally } from './tally.ts'

/** What went wrong without the checker, a text each: what has not ended, and what processes and faults did that none may do. */
export function wrongBesides({ chaos, healed, strange }: Torture): string[] {
  const texts = [...strange, ...chaos.errors]
  if (!healed.isAllKnown) texts.push('Those who ask do not know of everything they have asked for.')
  if (healed.left > 0) {
    texts.push([`${healed.left} executions have not ended although nothing goes wrong:`, ...healed.told].join('\n    '))
  }
  return texts
}

/** As it is read on a terminal. */
export function describeTorture({ chaos, healed, seconds, upgradedInMs }: Torture, tally: Tally): string {
  const struck = [...chaos.struck].map(([name, { times, counts }]) => row(times, `${name}${tellCounts(counts)}`))
  const obstacles = [...chaos.obstacles].map(([name, why]) => `${'not done'.padStart(9)}  ${name}: ${why}`)
  return [
    'Faults that were struck:',
    ...struck,
    ...obstacles,
    ...(upgradedInMs === null
      ? []
      : [
          `${String(tally.besides).padStart(9)}  effects of nodes of the version before on a database of this one, which took its service ${Math.round(upgradedInMs)} ms to come`,
        ]),
    'Load:',
    row(
      tally.asked,
      `requests, of which ${tally.accepted} were accepted, ${tally.refused} refused, ${tally.unknown} not answered`,
    ),
    row(tally.effects, 'effects of user code'),
    row(tally.samples, 'looks at what runs'),
    `${healed.left === 0 ? 'All' : `All but ${healed.left}`} had ended ${healed.seconds.toFixed(1)} s after the last fault; ${Math.round(seconds)} s in all.`,
  ].join('\n')
}

export function figuresOf({ chaos, healed, upgradedInMs }: Torture, tally: Tally, report: Report): Figure[] {
  const fault = (what: string, value: number): Figure => ({ section: 'faults', invariants: [], what, value })
  const faults = [...chaos.struck].flatMap(([name, { times, counts }]) => [
    fault(`strikes of the kind "${name}"`, times),
    ...Object.entries(counts).map(([what, value]) => fault(what, value)),
  ])
  return [
    { section: 'load', invariants: [], what: 'requests of clients', value: tally.asked },
    { section: 'load', invariants: [], what: 'requests whose answer was lost, or that failed', value: tally.unknown },
    { section: 'load', invariants: [], what: 'effects of user code', value: tally.effects },
    { section: 'load', invariants: ['I17'], what: 'looks at what runs', value: tally.samples },
    {
      section: 'lost',
      invariants: [],
      what: 'executions that had not ended once all was well',
      value: healed.left,
      atMost: 0,
    },
    ...faults,
    ...(upgradedInMs === null ? [] : upgradeFigures(upgradedInMs, tally)),
    ...report.figures,
  ]
}

function upgradeFigures(upgradedInMs: number, { besides }: Tally): Figure[] {
  const section = 'faults'
  return [
    {
      section,
      invariants: [],
      what: 'old and new version: effects of old nodes on the new database',
      value: besides,
      atLeast: 1,
    },
    {
      section,
      invariants: [],
      what: 'old and new version: service back after',
      value: Math.round(upgradedInMs),
      unit: 'ms',
    },
  ]
}

export function gapsOf({ chaos }: Torture, report: Report): string[] {
  const obstacles = [...chaos.obstacles].map(([name, why]) => `"${name}" was not struck: ${why}`)
  return [...obstacles, ...report.notExercised]
}

function tellCounts(counts: Struck['counts']): string {
  const told = Object.entries(counts).map(([what, count]) => `${count} ${what}`)
  return told.length === 0 ? '' : ` (${told.join(', ')})`
}

function row(count: number, what: string): string {
  return `${String(count).padStart(9)}  ${what}`
}
