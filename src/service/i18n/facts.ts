import { type ErrorDetails, quote } from '../../errors.ts'

/** What a sentence is made from: the details of an error, as they may stand in a text. */
export class Facts {
  readonly #details: ErrorDetails

  constructor(details: ErrorDetails) {
    this.#details = details
  }

  /** Which of several sentences of one code it is; empty where there is only one. */
  get case(): string {
    return this.of('case')
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined && this.raw(name) !== null
  }

  is(name: string, value: string | number): boolean {
    return this.raw(name) === value
  }

  raw(name: string): unknown {
    return Object.hasOwn(this.#details, name) ? this.#details[name] : undefined
  }

  /** As it is: a name, a number, several of them with commas; empty where it is nothing of the kind. */
  of(name: string): string {
    return this.list(name).join(', ')
  }

  list(name: string): readonly string[] {
    const value = this.raw(name)
    return (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter(isWord).map(String)
  }

  /** As whoever sent it may see it again: quoted, escaped and cut. */
  quoted(name: string): string {
    return quote(this.of(name))
  }
}

function isWord(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

/** One sentence about its facts. */
export type Sentence = (facts: Facts) => string

/** Several sentences of one code, told apart by the case. */
export function inCases(cases: Readonly<Record<string, Sentence>>, otherwise: Sentence): Sentence {
  return (facts) => (Object.hasOwn(cases, facts.case) ? (cases[facts.case] ?? otherwise) : otherwise)(facts)
}
