import { reasonOf } from '../../store/driver/pg-errors.ts'

/** What is to be said of a check, under its name. */
export interface Finding extends Judgement {
  readonly check: string
}

/** Makes a check. One that cannot be made has failed: nobody knows what it would have found. */
export async function find(check: string, judge: () => Judgement | Promise<Judgement>): Promise<Finding> {
  try {
    return { check, ...(await judge()) }
  } catch (error) {
    const remedy = 'It needs a role that may read the tables of Pontual, on a server that answers.'
    return { check, ...fail(`It could not be checked: ${reasonOf(error)}.`, remedy) }
  }
}

/** What is to be said of a check. `skipped`: it could not be made, and the text says why. */
export type Verdict = 'ok' | 'warn' | 'fail' | 'skipped'

export interface Judgement {
  readonly verdict: Verdict
  /** What was found. */
  readonly text: string
  /** What to do about it; null where there is nothing to do. */
  readonly remedy: string | null
}

export function ok(text: string): Judgement {
  return { verdict: 'ok', text, remedy: null }
}

export function warn(text: string, remedy: string): Judgement {
  return { verdict: 'warn', text, remedy }
}

export function fail(text: string, remedy: string): Judgement {
  return { verdict: 'fail', text, remedy }
}

export function skipped(text: string): Judgement {
  return { verdict: 'skipped', text, remedy: null }
}

const GRAVITY: readonly Verdict[] = ['skipped', 'ok', 'warn', 'fail']

/** Several complaints as one, as grave as the gravest; what is well where there are none. */
export function together(complaints: readonly (Judgement | false | null)[], well: string): Judgement {
  const found = complaints.filter((each): each is Judgement => each !== false && each !== null)
  if (found.length === 0) return ok(well)
  const verdict = found
    .map((each) => each.verdict)
    .reduce((one, other) => (gravity(one) < gravity(other) ? other : one))
  const remedies = found.flatMap(({ remedy }) => (remedy === null ? [] : [remedy]))
  return { verdict, text: found.map(({ text }) => text).join(' '), remedy: [...new Set(remedies)].join(' ') }
}

function gravity(verdict: Verdict): number {
  return GRAVITY.indexOf(verdict)
}

/** The first few of a list, and how many more there are. */
export function some(names: readonly string[], most = 3): string {
  const rest = names.length - most
  return names.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
