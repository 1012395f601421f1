import process from 'node:process'
import { expect } from 'vitest'
import { type Figure, keepRecord, type Section } from '../record/record.ts'

/** Of counter-examples so many are told; the rest is only counted. */
const TOLD = 20

/** What a count is about. */
export interface Subject {
  readonly section: Section
  readonly invariants: readonly string[]
  /** As a row of a table reads: "crashes of the server". */
  readonly what: string
}

/** One part of `npm run prove`: what it counts, what it must not see, and what is kept of it. */
export class Proof {
  readonly #name: string
  readonly #figures: Figure[] = []
  readonly #gaps: string[] = []
  readonly #told: string[] = []
  readonly #startedAt = performance.now()
  #violations = 0

  constructor(name: string) {
    this.#name = name
  }

  /** Does a piece of the proof. Whatever it throws is a counter-example too, and so the test fails that it stands in. */
  async part(work: () => Promise<void>): Promise<void> {
    const before = this.#violations
    try {
      await work()
    } catch (error) {
      this.violate(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
    expect(this.#violations - before, this.#told.join('\n')).toBe(0)
  }

  /** Something was seen that must not be. */
  violate(counterExample: string): void {
    this.#violations += 1
    if (this.#told.length < TOLD) this.#told.push(counterExample)
  }

  /** Holds a claim against what was seen; the counter-example is only written where there is one. */
  require(holds: boolean, counterExample: () => string): void {
    if (!holds) this.violate(counterExample())
  }

  /** Something that was to be counted up to a number; less than that is a gap. */
  count(subject: Subject, value: number, asked: number): void {
    this.#figures.push({ ...subject, value, atLeast: asked })
    if (value < asked) {
      this.gap(
        `${subject.invariants.join(', ')}: ${told(value)} ${subject.what} of the ${told(asked)} that are asked for.`,
      )
    }
  }

  /** Something that must not be more than a number. */
  bound(subject: Subject, value: number, atMost: number, unit?: string): void {
    this.#figures.push({ ...subject, value, unit, atMost })
    this.require(value <= atMost, () => `${subject.what}: ${value}, and ${atMost} at most may be.`)
  }

  /** Something that is worth knowing. */
  note(subject: Subject, value: number, unit?: string): void {
    this.#figures.push({ ...subject, value, unit })
  }

  /** What was to be shown and was not. */
  gap(sentence: string): void {
    this.#gaps.push(sentence)
  }

  /** Tells what was found, and keeps it where that is asked for. */
  keep(): void {
    const seconds = Math.round((performance.now() - this.#startedAt) / 1_000)
    for (const { what, value, unit, atLeast, atMost } of this.#figures) {
      const asked =
        atLeast === undefined ? (atMost === undefined ? '' : ` (at most ${told(atMost)})`) : ` (of ${told(atLeast)})`
      process.stdout.write(`  ${told(value)}${unit ? ` ${unit}` : ''} ${what}${asked}\n`)
    }
    for (const gap of this.#gaps) process.stdout.write(`  gap: ${gap}\n`)
    process.stdout.write(`  ${this.#violations} counter-examples in ${seconds} s\n`)
    keepRecord({
      name: this.#name,
      command: `npm run prove -- ${this.#name}`,
      seconds,
      violations: this.#violations,
      figures: this.#figures,
      gaps: this.#gaps,
    })
  }
}

function told(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 })
}
