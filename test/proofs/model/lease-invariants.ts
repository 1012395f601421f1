import { processOf, type State } from './lease-state.ts'
import { type LeaseStep, rowsAt, type Size } from './lease-world.ts'
import type { Invariant } from './spec.ts'

type LeaseInvariant = Invariant<State, LeaseStep>

/** An execution stands in one place: it is not lost, and it does not run and wait, or run and have ended, at once. */
const standsOnce: LeaseInvariant = {
  name: 'an execution stands in one place',
  ofState: ({ rows }) => {
    const index = rows.findIndex((each) => each.length !== 1)
    return index === -1
      ? null
      : `x${index} stands in ${rows[index]!.map(({ place }) => place).join(' and ') || 'none'}.`
  },
}

const epochsGrow: LeaseInvariant = {
  name: 'I5: epochs grow with every claim',
  ofStep: ({ past }, { commit }) => {
    if (commit?.statement.verb !== 'claim') return null
    const [made] = commit.made
    if (!made || made.row.epoch > past[made.execution]!.epoch) return null
    return `x${made.execution} was claimed with epoch ${made.row.epoch}, which was given before.`
  },
}

/** Whoever ends, postpones or gives back an execution holds it, with that epoch, at the commit. */
const fence: LeaseInvariant = {
  name: 'I6: who has lost an execution writes nothing about it',
  ofStep: (_before, { commit }) => {
    if (!commit || !['finish', 'retry', 'release'].includes(commit.statement.verb)) return null
    const { verb, life, epoch } = commit.statement
    const foreign = commit.took.find(({ row }) => row.holder !== life || row.epoch !== epoch)
    if (!foreign) return null
    const { row, execution } = foreign
    return `${verb} of n${processOf(life ?? 0)} with epoch ${epoch} took x${execution}, which n${processOf(row.holder ?? 0)} holds with epoch ${row.epoch}.`
  },
}

const oneEnd: LeaseInvariant = {
  name: 'I7: an end is final, and comes once',
  ofState: ({ past, rows }) => {
    const index = past.findIndex(({ ends }, execution) => {
      return ends > 1 || (ends > 0 && rows[execution]!.some(({ place }) => place !== 'results'))
    })
    if (index === -1) return null
    return `x${index} has ended ${past[index]!.ends} times, and stands in ${rows[index]!.map(({ place }) => place).join(' and ')}.`
  },
  ofStep: (before, { next }) => {
    const ended = rowsAt(before, 'results').find(({ execution, row }) => {
      return !next.rows[execution]!.some(({ version, end }) => version === row.version && end === row.end)
    })
    return ended ? `x${ended.execution} had ended as ${ended.row.end}, and has not any more.` : null
  },
}

const onlyTheDead: LeaseInvariant = {
  name: 'I11: a node that is on the list keeps its work',
  ofStep: ({ listed: before }, { commit, next: { listed } }) => {
    if (commit?.statement.verb !== 'recover') return null
    const alive = commit.statement.locks.find((life) => before.some((each) => each.life === life && !each.isLapsed))
    if (alive !== undefined) return `n${processOf(alive)} was taken off the list although its lease lasts.`
    const taken = commit.took.find(({ row }) => listed.some(({ life }) => life === row.holder))
    return taken
      ? `x${taken.execution} was taken from n${processOf(taken.row.holder ?? 0)}, which is on the list.`
      : null
  },
}

const attempts = ({ maxAttempts }: Size): LeaseInvariant => ({
  name: 'I12: no more attempts than allowed are begun',
  ofStep: (_before, { commit }) => {
    const over = commit?.made.find(({ row }) => row.place === 'leases' && row.attempt > maxAttempts)
    return over ? `x${over.execution} began attempt ${over.row.attempt} of ${maxAttempts}.` : null
  },
})

/** What a lost attempt costs: each epoch is an attempt, or was given back by who held it. */
const lostCounts: LeaseInvariant = {
  name: 'I12: an attempt that is lost counts',
  ofStep: (_before, { commit }) => {
    if (commit?.statement.verb !== 'recover') return null
    const index = commit.made.findIndex(({ row }, place) => row.attempt < commit.took[place]!.row.attempt)
    return index === -1 ? null : `x${commit.made[index]!.execution} was lost, and its attempt was not counted.`
  },
}

const limitHolds: LeaseInvariant = {
  name: 'I17: nothing begins beyond the limit',
  ofStep: (_before, { commit, next }) => {
    if (commit?.statement.verb !== 'claim' || commit.made.length === 0 || next.limit === null) return null
    const running = rowsAt(next, 'leases').length
    return running > next.limit ? `${running} run, and ${next.limit} may.` : null
  },
}

const cancelHolds: LeaseInvariant = {
  name: 'I21: what was cancelled does not begin again',
  ofState: ({ rows, past }) => {
    const index = rows.findIndex((each, execution) => {
      return past[execution]!.isCancelTold && each.some(({ place }) => place !== 'results')
    })
    return index === -1
      ? null
      : `x${index} was told to be over, and stands in ${rows[index]!.map(({ place }) => place).join(' and ')}.`
  },
}

export function leaseInvariants(size: Size): LeaseInvariant[] {
  return [epochsGrow, fence, cancelHolds, oneEnd, onlyTheDead, attempts(size), lostCounts, limitHolds, standsOnce]
}
