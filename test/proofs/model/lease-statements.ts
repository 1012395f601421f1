import type { Rules } from './lease-rules.ts'
import type { Listed, Row, RowOf, State, Statement, Verb } from './lease-state.ts'
import {
  fair,
  fault,
  isLifeLocked,
  isLocked,
  type LeaseStep,
  lookToCancel,
  lowestFree,
  nameOf,
  replace,
  rowsAt,
  type Size,
  spend,
  stands,
  tellCancelled,
  usedSlots,
  without,
  withProcess,
} from './lease-world.ts'

/** How a statement that is under way goes on: it takes what it may, waits for a lock, commits, is undone, or its answer is given up. */
export function statementSteps(state: State, statement: Statement, rules: Rules, size: Size, steps: LeaseStep[]): void {
  const { tag } = statement
  const name = nameOf(statement)
  const goOn = (act: 'takes' | 'commits' | 'undone' | 'lost', step: LeaseStep) => {
    steps.push({ ...step, of: { tag, act } })
  }
  if (statement.phase === 'begun') {
    for (const { what, state: each } of takes(state, statement, rules)) goOn('takes', fair(`${name} ${what}`, each))
  } else {
    goOn('commits', commit(state, statement, rules, size))
  }
  const isUndone = without(state, statement)
  if (!statement.isAwaited) {
    if (statement.life !== null) goOn('undone', fair(`${name} is undone`, isUndone))
  } else if (state.budget.losses > 0) {
    const lost = spend(replace(state, statement, { ...statement, sender: null, isAwaited: false }), 'losses')
    if (statement.life === null) goOn('undone', fault(`${name} is undone`, spend(isUndone, 'losses')))
    else goOn('lost', fault(`the answer to ${name} is given up`, lost))
  }
}

interface Taking {
  readonly what: string
  readonly state: State
}

/** What a statement may do with what it has seen; nothing where it has to wait for a lock. */
function takes(state: State, statement: Statement, rules: Rules): Taking[] {
  const done = (): Taking[] => {
    const isFreedAgain = rules.slotIsFreed === 'againByLateEnds' && statement.verb === 'finish'
    const counted = isFreedAgain ? Math.max(0, state.counted - 1) : state.counted
    return [{ what: 'finds nothing', state: answer(without({ ...state, counted }, statement), statement, false) }]
  }
  const take = (change: Partial<Statement>, what = 'takes'): Taking => {
    return { what, state: replace(state, statement, { ...statement, ...change, phase: 'taken' }) }
  }
  switch (statement.verb) {
    case 'claim':
      return claimTakes(state, statement, rules, take, done)
    case 'finish':
    case 'retry':
    case 'release': {
      const isFenced = statement.verb === 'finish' ? rules.finishIsFenced : rules.retryIsFenced
      const lease = rowsAt(state, 'leases').find(({ execution, row }) => {
        return execution === statement.execution && (!isFenced || row.epoch === statement.epoch)
      })
      if (!lease) return done()
      return isLocked(state, lease) ? [] : [take({ takes: [lease] })]
    }
    case 'renew': {
      const { life } = statement
      if (life === null || !state.listed.some((each) => each.life === life)) return done()
      return isLifeLocked(state, life) ? [] : [take({ locks: [life] })]
    }
    case 'recover': {
      const { seenLapsed, seen } = statement
      const isOver = (life: number) =>
        state.listed.some((each) => each.life === life && (each.isLapsed || !rules.recoverSparesTheLiving))
      const locks = seenLapsed.filter((life) => isOver(life) && !isLifeLocked(state, life))
      const rows = seen.filter((each) => {
        const isOurs = locks.includes(each.row.holder ?? -1) || !seenLapsed.includes(each.row.holder ?? -1)
        return isOurs && !isLocked(state, each) && (!rules.recoverLooksAgain || stands(state, each))
      })
      return locks.length + rows.length === 0 ? done() : [take({ takes: rows, locks })]
    }
    case 'promote': {
      const free = statement.seen.filter((each) => stands(state, each) && !isLocked(state, each))
      return free.length === 0 ? done() : free.map((each) => take({ takes: [each] }, `takes x${each.execution}`))
    }
    case 'cancel': {
      const [row] = statement.seen
      if (!row) return done()
      if (isLocked(state, row)) return []
      if (stands(state, row) || !rules.cancelLooksAgain) return [take({ takes: [row] })]
      return [{ what: 'looks again', state: lookToCancel(without(state, statement), row.execution) }]
    }
    case 'limit': {
      if (rules.limitStopsClaims && state.statements.some(({ verb, phase }) => verb === 'claim' && phase === 'taken'))
        return []
      const isNumbered = statement.limit === null || !rules.limitNumbersLeases
      const unnumbered = isNumbered ? [] : rowsAt(state, 'leases').filter(({ row }) => row.slot === null)
      const slot = Math.max(0, ...usedSlots(state))
      return unnumbered.some((each) => isLocked(state, each)) ? [] : [take({ takes: unnumbered, slot })]
    }
  }
}

function claimTakes(
  state: State,
  statement: Statement,
  rules: Rules,
  take: (change: Partial<Statement>, what: string) => Taking,
  done: () => Taking[],
): Taking[] {
  // Whoever changes a limit, or waits to, is met by a lock that is only tried for.
  if (rules.limitStopsClaims && state.statements.some(({ verb }) => verb === 'limit')) return done()
  // From here on no limit changes before it commits, whatever it finds; where none is to change that is nobody's business.
  const nothing = state.budget.limits.length > 0 ? [take({}, 'finds nothing')] : done()
  const others = state.statements.filter(({ verb, takes: held }) => verb === 'claim' && held.length > 0)
  let slot: number | null = null
  if (state.limit !== null) {
    if (rules.slotsAreLocked && others.length > 0) return nothing
    const used = rules.slotsAreLocked ? usedSlots(state) : statement.seenSlots
    const running = rules.slotIsFreed === 'withItsLease' ? used.length : state.counted
    if (running >= state.limit) return nothing
    slot = lowestFree(used)
    if (rules.slotsAreKeys && rules.slotIsFreed === 'withItsLease') {
      if (others.some((other) => other.slot === slot)) return []
      // The key refuses it, and the statement fails.
      if (usedSlots(state).includes(slot)) return done()
    }
  }
  const fresh = rules.claimLooksAgain ? rowsAt(state, 'ready') : statement.seen
  const free = fresh.filter((each) => !isLocked(state, each))
  // Each process begins where it left off, which is only a hint: what was put back may be found by a later claim.
  return [...free.map((each) => take({ takes: [each], slot }, `takes x${each.execution}`)), ...nothing]
}

function commit(state: State, statement: Statement, rules: Rules, size: Size): LeaseStep {
  const made = statement.takes.map(({ execution, row }, nth) => {
    return { execution, row: moved(row, nth, statement, rules, size) }
  })
  const clash = made.some(({ execution, row }) => {
    const others = state.rows[execution]!.filter(
      ({ version }) => !statement.takes.some((each) => each.row.version === version),
    )
    return others.some(({ place }) => place === row.place)
  })
  const name = nameOf(statement)
  // A row of this execution stands there already: the key of the table refuses it, and nothing is written.
  if (clash) return fair(`${name} is refused by a key`, answer(without(state, statement), statement, false))
  const rows = [...state.rows]
  const past = [...state.past]
  let { counted } = state
  for (const [place, { execution, row }] of made.entries()) {
    const took = statement.takes[place]!.row
    const isUpdate = took.place === row.place
    const before = past[execution]!
    const moves = isUpdate ? before.moves : before.moves + 1
    rows[execution] = [
      ...rows[execution]!.filter(({ version }) => version !== took.version),
      isUpdate ? row : { ...row, version: moves },
    ]
    past[execution] = {
      ...before,
      moves,
      epoch: Math.max(before.epoch, row.epoch),
      ends: before.ends + (row.place === 'results' ? 1 : 0),
    }
    if (row.place === 'leases' && !isUpdate) counted += 1
    if (took.place === 'leases' && !isUpdate) counted -= freed(statement.verb, rules)
  }
  const listed = state.listed.flatMap((each) => listedAfter(each, statement))
  const limit = statement.verb === 'limit' ? statement.limit : state.limit
  const slotCount = rules.slotIsFreed === 'withItsLease' ? 0 : counted
  const next = answer(
    without({ ...state, rows, past, listed, limit, counted: slotCount }, statement),
    statement,
    true,
    made,
  )
  return { ...fair(`${name} commits`, next), commit: { statement, took: statement.takes, made } }
}

function freed(verb: Verb, { slotIsFreed }: Rules): number {
  return verb === 'recover' && slotIsFreed === 'neverByRecovery' ? 0 : 1
}

function listedAfter(each: Listed, { verb, locks }: Statement): Listed[] {
  if (!locks.includes(each.life)) return [each]
  return verb === 'recover' ? [] : [{ ...each, isLapsed: false }]
}

/** What becomes of a row. */
function moved(row: Row, nth: number, statement: Statement, rules: Rules, { maxAttempts }: Size): Row {
  const { verb, life, outcome, slot } = statement
  const plain = { ...row, slot: null, holder: null }
  switch (verb) {
    case 'claim':
      return {
        ...row,
        place: 'leases',
        epoch: row.epoch + (rules.epochGrows ? 1 : 0),
        attempt: row.attempt + 1,
        holder: life,
        slot,
      }
    case 'finish':
      return { ...row, place: 'results', slot: null, end: outcome, isReported: true }
    case 'retry':
      return { ...plain, place: 'delayed' }
    case 'release':
      return { ...plain, place: 'ready', attempt: row.attempt - 1 }
    case 'recover': {
      const attempt = rules.lostAttemptCounts ? row.attempt : row.attempt - 1
      if (attempt < maxAttempts) return { ...plain, place: 'ready', attempt }
      return { ...row, place: 'results', slot: null, end: 'FAILED' }
    }
    case 'promote':
      return { ...plain, place: 'ready' }
    case 'cancel':
      return { ...row, place: 'results', slot: null, end: 'CANCELLED' }
    case 'limit':
      return { ...row, slot: (slot ?? 0) + nth + 1 }
    case 'renew':
      return row
  }
}

/** What the sender learns. */
function answer(state: State, statement: Statement, isTaken: boolean, made: readonly RowOf[] = []): State {
  const { verb, sender, isAwaited, execution, life } = statement
  if (!isAwaited) return state
  if (verb === 'cancel' && execution !== null) return tellCancelled(state, execution)
  if (sender === null) return state
  const process = state.processes[sender]!
  switch (verb) {
    case 'claim': {
      const [lease] = made
      if (!lease) return state
      const { epoch, attempt } = lease.row
      const run = { execution: lease.execution, life: life ?? 0, epoch, attempt, outcome: null }
      return withProcess(state, sender, { ...process, run })
    }
    case 'finish':
    case 'retry':
      // Accepted or refused: it is over for who ran it.
      return withProcess(state, sender, { ...process, run: null })
    case 'renew':
      return !isTaken && process.life === life ? withProcess(state, sender, { ...process, life: null }) : state
    case 'release':
    case 'recover':
    case 'promote':
    case 'cancel':
    case 'limit':
      return state
  }
}
