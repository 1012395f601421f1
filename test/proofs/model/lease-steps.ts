import type { Rules } from './lease-rules.ts'
import { lifeOf, processOf, type State, type Verb } from './lease-state.ts'
import { statementSteps } from './lease-statements.ts'
import {
  begin,
  fair,
  fault,
  isWaiting,
  type LeaseStep,
  lookToCancel,
  rowsAt,
  type Size,
  spend,
  usedSlots,
  withProcess,
} from './lease-world.ts'

/** All that may happen next. */
export function stepsOf(state: State, rules: Rules, size: Size): LeaseStep[] {
  const steps: LeaseStep[] = []
  for (const index of state.processes.keys()) processSteps(state, index, rules, size, steps)
  leaseSteps(state, steps)
  sharedSteps(state, rules, size, steps)
  for (const statement of state.statements) statementSteps(state, statement, rules, size, steps)
  return steps
}

// What processes do.

function processSteps(state: State, index: number, rules: Rules, size: Size, steps: LeaseStep[]): void {
  const process = state.processes[index]!
  const { life, run } = process
  const who = `n${index}`
  if (!process.isUp) {
    steps.push(fair(`${who} starts again`, withProcess(state, index, { ...process, isUp: true })))
    return
  }
  if (state.budget.crashes > 0) steps.push(fault(`${who} crashes`, crash(state, index)))
  if (life === null) {
    const born = lifeOf(index, process.lives)
    const next = withProcess(state, index, { ...process, life: born, lives: process.lives + 1 })
    steps.push(fair(`${who} registers`, { ...next, listed: [...state.listed, { life: born, isLapsed: false }] }))
  } else {
    const listed = state.listed.find((each) => each.life === life)
    if (listed?.isLapsed !== false && !isWaiting(state, index, ['renew'])) {
      steps.push(fair(`${who} renews`, begin(state, { verb: 'renew', sender: index, life })))
    }
    if (isWaiting(state, index, WORK)) return
    if (run === null && listed && !listed.isLapsed) claimSteps(state, index, life, rules, steps)
    if (rules.strangersAreReleased) strangerSteps(state, index, life, steps)
  }
  if (run === null || isWaiting(state, index, WORK)) return
  for (const outcome of run.outcome ? [run.outcome] : (['SUCCESS', 'FAILED'] as const)) {
    if (run.outcome === null && outcome === 'FAILED' && state.budget.failures === 0) continue
    const ended = withProcess(state, index, { ...process, run: { ...run, outcome } })
    const spent = outcome === 'FAILED' && run.outcome === null ? spend(ended, 'failures') : ended
    const verb = outcome === 'FAILED' && run.attempt < size.maxAttempts ? 'retry' : 'finish'
    const { execution, epoch } = run
    const name = `${who} ${verb === 'retry' ? 'fails, and sends a retry of' : `sends the end ${outcome} of`} x${execution} e${epoch}`
    steps.push(fair(name, begin(spent, { verb, sender: index, life: run.life, execution, epoch, outcome })))
  }
}

const WORK: readonly Verb[] = ['claim', 'finish', 'retry', 'release']

function claimSteps(state: State, index: number, life: number, rules: Rules, steps: LeaseStep[]): void {
  const ready = rowsAt(state, 'ready')
  if (ready.length === 0) return
  // What is ranked is locked and looked at again, or read anew after the locks of the limits: what counts is what stands then.
  const seen = rules.claimLooksAgain ? [] : ready
  const seenSlots = rules.slotsAreLocked ? [] : usedSlots(state)
  steps.push(fair(`n${index} claims`, begin(state, { verb: 'claim', sender: index, life, seen, seenSlots })))
}

/** What a node holds without knowing comes from a claim whose answer was lost: while no claim is under way it is given back. */
function strangerSteps(state: State, index: number, life: number, steps: LeaseStep[]): void {
  const { run } = state.processes[index]!
  for (const { execution, row } of rowsAt(state, 'leases')) {
    if (row.holder !== life || (run?.execution === execution && run.epoch === row.epoch)) continue
    const { epoch } = row
    const next = begin(state, { verb: 'release', sender: index, life, execution, epoch })
    steps.push(fair(`n${index} gives back x${execution} e${epoch}, which it does not know`, next))
  }
}

function crash(state: State, index: number): State {
  const { lives } = state.processes[index]!
  const statements = state.statements.map((each) =>
    each.sender === index ? { ...each, sender: null, isAwaited: false } : each,
  )
  return spend(withProcess({ ...state, statements }, index, { isUp: false, life: null, lives, run: null }), 'crashes')
}

// What time, recovery and clients do.

function leaseSteps(state: State, steps: LeaseStep[]): void {
  for (const { life, isLapsed } of state.listed) {
    if (isLapsed) continue
    const listed = state.listed.map((each) => (each.life === life ? { ...each, isLapsed: true } : each))
    const { isUp, life: current } = state.processes[processOf(life)]!
    const name = `the lease of n${processOf(life)} runs out`
    if (!isUp || current !== life) steps.push(fair(name, { ...state, listed }))
    else if (state.budget.pauses > 0) steps.push(fault(`${name} in a pause`, spend({ ...state, listed }, 'pauses')))
  }
}

function sharedSteps(state: State, rules: Rules, size: Size, steps: LeaseStep[]): void {
  const { statements, budget, listed } = state
  if (statements.filter(({ verb }) => verb === 'recover').length < size.recoveries) {
    const seenLapsed = listed
      .filter(({ isLapsed }) => isLapsed || !rules.recoverSparesTheLiving)
      .map(({ life }) => life)
    const isListed = (life: number | null) => listed.some((each) => each.life === life)
    const seen = rowsAt(state, 'leases').filter(({ row }) => {
      return seenLapsed.includes(row.holder ?? -1) || !isListed(row.holder)
    })
    if (seenLapsed.length + seen.length > 0) {
      steps.push(fair('recovery looks', begin(state, { verb: 'recover', seen, seenLapsed })))
    }
  }
  const delayed = rowsAt(state, 'delayed')
  if (delayed.length > 0 && !statements.some(({ verb }) => verb === 'promote')) {
    steps.push(fair('promotion looks', begin(state, { verb: 'promote', seen: delayed })))
  }
  if (budget.cancels > 0) {
    for (const execution of state.rows.keys()) {
      steps.push(fault(`a client cancels x${execution}`, lookToCancel(spend(state, 'cancels'), execution)))
    }
  }
  const [limit, ...limits] = budget.limits
  if (limit !== undefined && !statements.some(({ verb }) => verb === 'limit')) {
    const next = { ...state, budget: { ...budget, limits } }
    steps.push(fault(`a client sets the limit ${limit}`, begin(next, { verb: 'limit', limit })))
  }
}
