import type { Bench } from '../../suites/conformance/bench.ts'
import { difference } from '../../suites/conformance/difference.ts'
import { answerOf, prepare } from './asking.ts'
import { buildCast, type Setting } from './cast.ts'
import { HeldCommit } from './held-commit.ts'
import { observe } from './observe.ts'
import { envOf, type Order, type Outcome, serialOutcomes } from './serial.ts'
import type { Stage } from './stage.ts'
import { type Asking, PASSING } from './verbs.ts'

/**
 * How verbs meet: the first is held before the commit of one of its statements while the others are sent, one after the other, each as far as it gets; then the
 * first commits or is undone, and all go on.
 */
export interface Meeting {
  readonly setting: Setting
  readonly verbs: readonly string[]
  readonly isUndone: boolean
  /** Which statement of the first is held. */
  readonly nth: number
}

interface MeetingReport {
  /** null where it happened as if one had come after the other. */
  readonly violation: string | null
  /** The order that it was like, as indexes of verbs. */
  readonly like: Order | null
  /** How many had to wait for a lock. */
  readonly blocked: number
  /** What it took to be like one after the other. */
  readonly allowed: Allowance | null
}

/**
 * How what differs from one after the other is right all the same. `takes another`: a claim passes over what is locked and takes what stands behind it, as many as it would have. `comes
 * back`: claim, recover, promote and fire wait for nobody; their loops ask again within milliseconds. `is looked at again`: an execution that is to stand behind one that is being moved cannot
 * know whether that has ended; the promotion that every node makes looks at it 50 ms later.
 */
type Allowance = 'takes another' | 'comes back' | 'is looked at again'

export async function meet(stage: Stage, meeting: Meeting): Promise<MeetingReport> {
  const { verbs, setting } = meeting
  const number = stage.nextNumber()
  const bench = await stage.begin(envOf(number))
  const cast = await buildCast(bench, setting)
  const asks = prepare(bench, cast, verbs)
  const { answers, blocked, isFirstGone } = await bringTogether(stage, meeting, asks)
  const compare = async (allowed: Allowance | null): Promise<MeetingReport> => {
    const isLater = allowed === 'is looked at again'
    const orders = await serialOutcomes({ ...meeting, number }, isFirstGone, isLater ? passMoment : undefined)
    const outcome: Outcome = { answers, state: await observe(bench.store, cast) }
    const view = (each: Outcome) => (allowed === 'takes another' ? withoutChoice(each, verbs) : each)
    const like = orders.find((each) => difference(view(each.outcome), view(outcome)) === null)?.order ?? null
    const violation = like ? null : orders.map((each) => explain(each.order, each.outcome, outcome)).join('\n')
    return { violation, like, blocked, allowed }
  }

  let report = await compare(null)
  const passing = verbs.flatMap((name, index) => (index > 0 && PASSING.has(name) ? [index] : []))
  const claims = passing.filter((index) => isClaim(verbs[index]!))
  const mayTakeAnother = async () => {
    if (!report.like && claims.length > 0) report = await compare('takes another')
  }
  await mayTakeAnother()
  // Claims come back last: they take what the others have brought.
  for (const indexes of [passing.filter((index) => !claims.includes(index)), claims]) {
    if (report.like || indexes.length === 0) continue
    for (const index of indexes) answers[index] = joined(answers[index], await answerOf(asks[index]!, bench.store))
    report = await compare('comes back')
    await mayTakeAnother()
  }
  if (!report.like && verbs.includes('enqueue behind')) {
    await passMoment(bench)
    report = await compare('is looked at again')
  }
  return report
}

interface Together {
  readonly answers: unknown[]
  readonly blocked: number
  /** Whether the first was undone, so that it is as if it had not been sent. */
  readonly isFirstGone: boolean
}

async function bringTogether(stage: Stage, meeting: Meeting, asks: readonly Asking[]): Promise<Together> {
  const [askFirst, ...others] = asks
  const first = stage.actor(1)
  const held = new HeldCommit(meeting.nth)
  first.held = held
  const sent = [answerOf(askFirst!, first.store)]
  await Promise.race([held.arrived, sent[0]])
  first.held = null
  const isHeld = held.met >= meeting.nth
  let blocked = 0
  for (const [index, ask] of others.entries()) {
    const actor = stage.actor(index + 2)
    const answer = answerOf(ask, actor.store)
    sent.push(answer)
    if (!(await stage.settles(answer, actor))) blocked += 1
  }
  if (meeting.isUndone) held.undo()
  else held.commit()
  return { answers: await Promise.all(sent), blocked, isFirstGone: meeting.isUndone && isHeld }
}

function isClaim(name: string): boolean {
  return name.startsWith('claim')
}

/** All that does not depend on which of several executions were claimed. */
function withoutChoice({ answers, state }: Outcome, verbs: readonly string[]): unknown {
  const { executions, jobs, ledger, tenant, counts } = state
  return {
    answers: answers.map((answer, index) => {
      return isClaim(verbs[index]!) && Array.isArray(answer) ? answer.length : answer
    }),
    executions: executions.map(({ status, attempt, epoch }) => `${status} ${attempt} ${epoch}`).sort(),
    state: { jobs, ledger, tenant, counts },
  }
}

const MOMENT_MS = 100

async function passMoment(bench: Bench): Promise<void> {
  bench.advance(MOMENT_MS)
  await bench.store.leases.promote(10)
}

function explain(order: Order, expected: Outcome, outcome: Outcome): string {
  return `Not as in the order ${order.map((index) => index + 1).join(', ')}: ${difference(expected, outcome, 'outcome')}`
}

/** What was got in two goes. */
function joined(before: unknown, after: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(after)) {
    return [...(before as unknown[]), ...(after as unknown[])].sort(byText)
  }
  return typeof before === 'number' && typeof after === 'number' ? before + after : after
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
}
