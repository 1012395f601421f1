import type { Env } from '../../clock.ts'

/** Some milliseconds. */
const WORK_A_TURN = 10_000

/** Lets others have their turn while something takes long. */
export class Turns {
  readonly #env: Pick<Env, 'nextTurn'>
  #work = 0

  constructor(env: Pick<Env, 'nextTurn'>) {
    this.#env = env
  }

  /** To be called after so many small steps. */
  async worked(steps: number): Promise<void> {
    this.#work += steps
    if (this.#work < WORK_A_TURN) return
    this.#work = 0
    await new Promise<void>((resolve) => this.#env.nextTurn(resolve))
  }
}
