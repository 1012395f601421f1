import type fc from 'fast-check'

/** What is given to one target, and what has to hold whatever that is. */
export interface Check {
  /** What is fuzzed: `cron`, `codec` … */
  readonly target: string
  /** What holds, as a fact about the inputs. */
  readonly name: string
  /** What one input is, as a row of a table reads: "cron expressions that were damaged". */
  readonly inputs: string
  /** How much of the time it takes, against the others. Default 1. */
  readonly share?: number | undefined
  /** As docs/proof/invariants.md numbers them. */
  readonly invariants?: readonly string[] | undefined
  /** So many inputs are asked for, where somebody asks for a figure. */
  readonly atLeast?: number | undefined
  open(): Promise<OpenedCheck> | OpenedCheck
}

/** A fact that can be tried with inputs now. */
export interface OpenedCheck {
  readonly property: fc.IRawProperty<unknown>
  /** How many inputs there were, where one try has several. */
  counted?(): number
  /** What else was counted, by what it is. */
  figures?(): Readonly<Record<string, number>>
  close?(): Promise<void>
}

/** A check that needs nothing but its property. */
export function check<Input>(about: Omit<Check, 'open'>, property: () => fc.IRawProperty<Input>): Check {
  return { ...about, open: () => ({ property: property() as unknown as fc.IRawProperty<unknown> }) }
}

/** How a check is named where one is asked for. */
export function nameOf({ target, name }: Check): string {
  return `${target}: ${name}`
}
