/**
 * What the tables hold of executions, what nodes believe, and what is under way between them. Everything in a state is committed, but for the
 * statements: one that is `begun` has its snapshot, one that has `taken` holds locks on what it took, and nobody sees what it wrote before it commits.
 */
export interface State {
  /** By execution: the rows of `ready`, `delayed`, `leases` and `results` together. An execution has one. */
  readonly rows: readonly (readonly Row[])[]
  /** The table `nodes`. */
  readonly listed: readonly Listed[]
  readonly processes: readonly Process[]
  readonly statements: readonly Statement[]
  /** How many may run at once; null for any number. */
  readonly limit: number | null
  /** What a store that counts in place of numbering slots believes to be running. */
  readonly counted: number
  /** By execution: what has happened, which no table tells. */
  readonly past: readonly Past[]
  /** How much may still go wrong, and be asked for. */
  readonly budget: Budget
  /** How many statements were begun: what tells them apart in a walk, and no state from another. */
  readonly begun: number
}

export type Place = 'ready' | 'delayed' | 'leases' | 'results'
type End = 'SUCCESS' | 'FAILED' | 'CANCELLED'

export interface Row {
  readonly place: Place
  readonly epoch: number
  readonly attempt: number
  /** The node that holds it, or ended it. */
  readonly holder: number | null
  readonly slot: number | null
  readonly end: End | null
  /** Whether the holder has reported the end. */
  readonly isReported: boolean
  /** Tells one row from another that stands in the same place later. */
  readonly version: number
}

/** A process may register several times, each time as another node: its life. */
export interface Listed {
  readonly life: number
  readonly isLapsed: boolean
}

export interface Process {
  readonly isUp: boolean
  /** As which node it is registered, as far as it knows. */
  readonly life: number | null
  readonly lives: number
  /** What it runs, as far as it knows; it has one slot. */
  readonly run: Run | null
}

export interface Run {
  /** As which node it was claimed. */
  readonly life: number
  readonly execution: number
  readonly epoch: number
  readonly attempt: number
  /** Set once the handler has ended. */
  readonly outcome: End | null
}

export type Verb = 'claim' | 'finish' | 'retry' | 'release' | 'renew' | 'recover' | 'promote' | 'cancel' | 'limit'

export interface Statement {
  readonly tag: number
  readonly verb: Verb
  /** The process that sent it; null where it is no node's business which one. */
  readonly sender: number | null
  /** Whether somebody waits for the answer: who died or gave up does not, and it may arrive all the same. */
  readonly isAwaited: boolean
  readonly phase: 'begun' | 'taken'
  /** As which node. */
  readonly life: number | null
  readonly execution: number | null
  readonly epoch: number
  readonly outcome: End | null
  readonly limit: number | null
  /** What its snapshot shows of what it looks for. */
  readonly seen: readonly RowOf[]
  readonly seenLapsed: readonly number[]
  readonly seenSlots: readonly number[]
  /** What it has locked, and removes when it commits: rows, and lives. */
  readonly takes: readonly RowOf[]
  readonly locks: readonly number[]
  readonly slot: number | null
}

export interface RowOf {
  readonly execution: number
  readonly row: Row
}

interface Past {
  /** How often it has moved: what versions are made from. */
  readonly moves: number
  /** The highest epoch that was ever given. */
  readonly epoch: number
  /** How often it has ended. */
  readonly ends: number
  /** Whether somebody was told that it is cancelled. */
  readonly isCancelTold: boolean
}

export interface Budget {
  readonly crashes: number
  readonly losses: number
  /** Leases that run out although their process lives. */
  readonly pauses: number
  readonly failures: number
  readonly cancels: number
  /** Limits that are still to be set, in this order. */
  readonly limits: readonly (number | null)[]
}

const LIVES = 8

export function lifeOf(process: number, nth: number): number {
  return process * LIVES + nth
}

export function processOf(life: number): number {
  return Math.floor(life / LIVES)
}

/** Where the names of processes and of executions do not matter, the first of those that differ in nothing else. */
export function keyOf(state: State): string {
  const executions = inOrder(state.rows.map((_, index) => executionText(state, index)))
  const processes = inOrder(state.processes.map((_, index) => processText(state, index)))
  const names: Names = { execution: placesIn(executions), process: placesIn(processes) }
  let key = ''
  for (const index of executions) {
    key += executionText(state, index)
    for (const { holder } of state.rows[index]!) key += holder === null ? ';' : lifeText(holder, names)
  }
  for (const each of state.listed.map(({ life, isLapsed }) => lifeText(life, names) + (isLapsed ? '!' : ' ')).sort()) {
    key += each
  }
  for (const index of processes) {
    const { isUp, life, lives, run } = state.processes[index]!
    key += `|${isUp ? 'u' : 'd'}${life === null ? '-' : life % LIVES}${lives}`
    if (run) {
      key += `${names.execution[run.execution]}${run.life % LIVES}${run.epoch}${run.attempt}${run.outcome?.[0] ?? ''}`
    }
  }
  for (const each of state.statements.map((statement) => statementText(state, statement, names)).sort()) key += each
  const { crashes, losses, pauses, failures, cancels, limits } = state.budget
  return `${key}|${state.limit}.${state.counted}|${crashes}${losses}${pauses}${failures}${cancels}${limits.length}`
}

/** Which place each has in the order in which they are told. */
interface Names {
  readonly execution: readonly number[]
  readonly process: readonly number[]
}

function inOrder(texts: readonly string[]): number[] {
  const indexes = Array.from(texts, (_, index) => index)
  return indexes.sort((a, b) => (texts[a]! < texts[b]! ? -1 : texts[a]! > texts[b]! ? 1 : a - b))
}

function placesIn(order: readonly number[]): number[] {
  const places = new Array<number>(order.length)
  for (const [place, index] of order.entries()) places[index] = place
  return places
}

function lifeText(life: number, { process }: Names): string {
  return `${process[processOf(life)]}${life % LIVES}`
}

function executionText({ rows, past }: State, index: number): string {
  const { epoch, ends, isCancelTold } = past[index]!
  let text = `${epoch}${ends}${isCancelTold ? 'c' : ' '}`
  for (const row of rows[index]!) text += rowText(row)
  return text
}

/** Rows are many, and most are those of the state before. */
const rowTexts = new WeakMap<Row, string>()

function rowText(row: Row): string {
  const known = rowTexts.get(row)
  if (known !== undefined) return known
  const { place, epoch, attempt, slot, end, isReported } = row
  const text = `${place[0]}${epoch}${attempt}${slot ?? '-'}${end?.[0] ?? ''}${isReported ? 'r' : ''}`
  rowTexts.set(row, text)
  return text
}

function processText({ processes, listed, statements }: State, index: number): string {
  const { isUp, life, lives, run } = processes[index]!
  let text = `${isUp ? 'u' : 'd'}${life === null ? '-' : life % LIVES}${lives}`
  if (run) text += `${run.epoch}${run.attempt}${run.outcome?.[0] ?? ''}`
  for (const each of listed) if (processOf(each.life) === index) text += each.isLapsed ? '!' : '+'
  for (const { life: sent, verb, phase } of statements) {
    if (sent !== null && processOf(sent) === index) text += VERB_TEXTS[verb] + phase[0]
  }
  return text
}

const VERB_TEXTS: Readonly<Record<Verb, string>> = {
  claim: 'c',
  finish: 'f',
  retry: 'y',
  release: 'e',
  renew: 'n',
  recover: 'r',
  promote: 'p',
  cancel: 'x',
  limit: 'l',
}

function statementText(state: State, each: Statement, names: Names): string {
  const { verb, phase, isAwaited, sender, life, execution, epoch, outcome, limit, slot } = each
  let text = `|${VERB_TEXTS[verb]}${phase === 'taken' ? '*' : ''}${isAwaited ? '?' : ''}`
  if (sender !== null) text += `s${names.process[sender]}`
  if (life !== null) text += `l${lifeText(life, names)}`
  if (execution !== null) text += `x${names.execution[execution]}${epoch}${outcome?.[0] ?? ''}`
  if (limit !== null) text += `m${limit}`
  if (slot !== null) text += `#${slot}`
  if (each.seen.length > 0) text += `<${rowsText(state, each.seen, names)}`
  if (each.takes.length > 0) text += `>${rowsText(state, each.takes, names)}`
  if (each.seenLapsed.length > 0) text += `~${livesText(each.seenLapsed, names)}`
  if (each.locks.length > 0) text += `^${livesText(each.locks, names)}`
  return each.seenSlots.length > 0 ? `${text}%${each.seenSlots.join(',')}` : text
}

/** A row that stands where it was seen is told by that. */
function rowsText({ rows }: State, all: readonly RowOf[], { execution: names }: Names): string {
  const texts = all.map(({ execution, row }) => {
    const nth = rows[execution]!.findIndex(({ version }) => version === row.version)
    return `${names[execution]}${nth === -1 ? `-${rowText(row)}` : nth}`
  })
  return texts.length === 1 ? texts[0]! : texts.sort().join(',')
}

function livesText(lives: readonly number[], names: Names): string {
  return lives.length === 1
    ? lifeText(lives[0]!, names)
    : lives
        .map((life) => lifeText(life, names))
        .sort()
        .join(',')
}

/** One line of what can be seen. */
export function describeState({ rows, listed, processes, statements, limit }: State): string {
  const where = rows.map((each, index) => {
    const places = each.map(({ place, epoch, holder, slot, end, attempt }) => {
      const by = place === 'leases' && holder !== null ? ` by n${processOf(holder)}.${holder % LIVES}` : ''
      return `${end ?? place}${by} e${epoch} a${attempt}${slot === null ? '' : ` slot ${slot}`}`
    })
    return `x${index}: ${places.join(' and ') || 'nowhere'}`
  })
  const nodes = listed.map(({ life, isLapsed }) => `n${processOf(life)}.${life % LIVES}${isLapsed ? ' (over)' : ''}`)
  const believed = processes.map(({ isUp, run }, index) => {
    const runs = run ? ` runs x${run.execution} e${run.epoch}${run.outcome ? ` ${run.outcome}` : ''}` : ''
    return `n${index}${isUp ? runs : ' down'}`
  })
  const under = statements.map(({ verb, phase, execution }) => {
    return `${verb}${execution === null ? '' : ` x${execution}`} ${phase}`
  })
  const cap = limit === null ? '' : ` · limit ${limit}`
  return `${where.join(', ')} · listed ${nodes.join(', ') || 'nobody'} · ${believed.join(', ')}${cap}${under.length > 0 ? ` · under way: ${under.join(', ')}` : ''}`
}
