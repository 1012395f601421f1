import { PontualError } from '../../../src/errors.ts'
import type { EngineStore } from '../../../src/store/store.ts'
import type { Bench } from '../../suites/conformance/bench.ts'
import type { Cast } from './cast.ts'
import { UndoneError } from './held-commit.ts'
import { type Asking, VERBS } from './verbs.ts'

/** What verbs are asked for, made in their order. */
export function prepare(bench: Bench, cast: Cast, names: readonly string[]): Asking[] {
  return names.map((name) => {
    const verb = VERBS[name]
    if (!verb) throw new Error(`There is no verb "${name}".`)
    return verb(bench, cast)
  })
}

/** A refusal is an answer too. */
export async function answerOf(ask: Asking, store: EngineStore): Promise<unknown> {
  try {
    return (await ask(store)) ?? null
  } catch (error) {
    if (error instanceof UndoneError) return 'undone'
    if (error instanceof PontualError) return `refused: ${error.code}`
    throw error
  }
}
