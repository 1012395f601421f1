import { Chance } from './chance.ts'

/**
 * What may go wrong with one question to the store. `lost`: it never arrives. `unknown`: it is applied, and the answer never arrives. `slow`: it arrives late. `late`: it is
 * applied, and the answer arrives late. `stalled`: nothing comes until the deadline, and it was applied or not. `refused`: the database says no for now.
 */
export const QUESTION_FAULTS = ['lost', 'unknown', 'slow', 'late', 'stalled', 'refused'] as const

/** What may happen to a process or to the database at any time. */
export const WORLD_FAULTS = ['kill', 'stop', 'block', 'restartDatabase', 'deafen', 'rollingRestart'] as const

export type QuestionFault = (typeof QUESTION_FAULTS)[number]
export type WorldFault = (typeof WORLD_FAULTS)[number]

/** Something that went wrong: the how-manieth question, or the how-manieth look at the world. */
export type Fault =
  | { readonly question: number; readonly kind: QuestionFault }
  | { readonly look: number; readonly kind: WorldFault }

/** How often each of them happens, per question and per second; what is absent never does. */
export type FaultRates = Readonly<Partial<Record<QuestionFault | WorldFault, number>>>

/**
 * Decides what goes wrong, each time by itself: with some faults left out the others stay where they are, which is what makes shrinking possible.
 */
export class Faults {
  readonly #seed: number
  readonly #rates: FaultRates
  readonly #only: ReadonlySet<string> | null
  readonly happened: Fault[] = []
  #isHealed = false

  /** `only`: of all that would happen, these alone. */
  constructor(seed: number, rates: FaultRates, only: readonly Fault[] | null) {
    this.#seed = seed
    this.#rates = rates
    this.#only = only && new Set(only.map(keyOf))
  }

  /** From here on all is well. */
  heal(): void {
    this.#isHealed = true
  }

  ofQuestion(question: number): QuestionFault | null {
    const kind = this.#draw(QUESTION_FAULTS, `question ${question}`)
    return kind && this.#note({ question, kind }) ? kind : null
  }

  ofLook(look: number): WorldFault | null {
    const kind = this.#draw(WORLD_FAULTS, `look ${look}`)
    return kind && this.#note({ look, kind }) ? kind : null
  }

  #draw<Kind extends QuestionFault | WorldFault>(kinds: readonly Kind[], purpose: string): Kind | null {
    if (this.#isHealed) return null
    let fraction = new Chance(this.#seed, purpose).fraction()
    for (const kind of kinds) {
      const rate = this.#rates[kind] ?? 0
      if (fraction < rate) return kind
      fraction -= rate
    }
    return null
  }

  #note(fault: Fault): boolean {
    if (this.#only && !this.#only.has(keyOf(fault))) return false
    this.happened.push(fault)
    return true
  }
}

function keyOf(fault: Fault): string {
  return 'question' in fault ? `question ${fault.question}` : `look ${fault.look}`
}
