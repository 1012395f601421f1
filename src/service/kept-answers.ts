import type { Env } from '../clock.ts'

interface Kept<Answer> {
  readonly askedAt: number
  readonly answer: Promise<Answer>
  isUnderWay: boolean
}

const MOST = 100

/** Answers that many ask for and that take some work: whoever asks within a while, or before there is one, is given the same. One that fails is not kept. */
export class KeptAnswers<Answer> {
  readonly #env: Env
  readonly #keepMs: number
  readonly #kept = new Map<string, Kept<Answer>>()

  constructor(env: Env, keepMs: number) {
    this.#env = env
    this.#keepMs = keepMs
  }

  get(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const now = this.#env.monotonic()
    const known = this.#kept.get(key)
    if (known && (known.isUnderWay || now - known.askedAt < this.#keepMs)) return known.answer
    if (this.#kept.size >= MOST) this.#kept.clear()
    const kept = { askedAt: now, answer: ask(), isUnderWay: true }
    this.#kept.set(key, kept)
    const ended = () => {
      kept.isUnderWay = false
    }
    kept.answer.then(ended, () => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key)
    })
    return kept.answer
  }
}
