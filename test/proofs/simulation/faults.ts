import { Chance } from '../../harness/chance.ts'
import { REFUSALS } from './refusals.ts'

/**
 * What may go wrong with one question to the store. `lost`: it never arrives. `unknown`: it is applied, and the answer never arrives. `slow`: it arrives late. `late`: it is
 * applied, and the answer arrives late. `stalled`: nothing comes until the deadline, and it was applied or not. `belated`: whoever asks is told at once that the connection is lost, and asks again,
 * and only then it is applied. `doubled`: it is applied, and once more a while later. The others are refusals of the server.
 */
export const QUESTION_FAULTS = [
  'lost',
  'unknown',
  'slow',
  'late',
  'stalled',
  'belated',
  'doubled',
  ...REFUSALS,
] as const

/**
 * What may happen to a process or to the database at any time. `outage`: no node runs for a while. `deploy`: a node is started anew with another version of the code. `clockBack` and `clockAhead`:
 * the clock of the database is set, by seconds up to an hour; `clockStep`: it is set back a little.
 */
export const WORLD_FAULTS = [
  'kill',
  'stop',
  'block',
  'restartDatabase',
  'deafen',
  'rollingRestart',
  'outage',
  'deploy',
  'clockBack',
  'clockAhead',
  'clockStep',
] as const

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
  readonly #ofQuestions: readonly (readonly [QuestionFault, number])[]
  readonly #ofWorld: readonly (readonly [WorldFault, number])[]
  readonly #only: ReadonlySet<string> | null
  readonly happened: Fault[] = []
  #isHealed = false

  /** `only`: of all that would happen, these alone. */
  constructor(seed: number, rates: FaultRates, only: readonly Fault[] | null) {
    this.#seed = seed
    this.#ofQuestions = ratesOf(QUESTION_FAULTS, rates)
    this.#ofWorld = ratesOf(WORLD_FAULTS, rates)
    this.#only = only && new Set(only.map(keyOf))
  }

  /** From here on all is well. */
  heal(): void {
    this.#isHealed = true
  }

  get isHealed(): boolean {
    return this.#isHealed
  }

  ofQuestion(question: number): QuestionFault | null {
    const kind = this.#draw(this.#ofQuestions, 'question', question)
    return kind && this.#note({ question, kind }) ? kind : null
  }

  ofLook(look: number): WorldFault | null {
    const kind = this.#draw(this.#ofWorld, 'look', look)
    return kind && this.#note({ look, kind }) ? kind : null
  }

  #draw<Kind>(rates: readonly (readonly [Kind, number])[], purpose: string, number: number): Kind | null {
    if (this.#isHealed || rates.length === 0) return null
    let fraction = Chance.fractionOf(this.#seed, purpose, number)
    for (const [kind, rate] of rates) {
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

function ratesOf<Kind extends QuestionFault | WorldFault>(
  kinds: readonly Kind[],
  rates: FaultRates,
): (readonly [Kind, number])[] {
  return kinds.flatMap((kind) => {
    const rate = rates[kind] ?? 0
    return rate > 0 ? [[kind, rate] as const] : []
  })
}

function keyOf(fault: Fault): string {
  return 'question' in fault ? `question ${fault.question}` : `look ${fault.look}`
}
