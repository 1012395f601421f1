import fc from 'fast-check'
import { type Check, nameOf } from './check.ts'
import type { HangWatch } from './hang-watch.ts'

export interface RunOptions {
  readonly seed: number
  /** For so long new inputs are tried. */
  readonly milliseconds: number
  /** Only the input that stands there: as a counter-example tells it. */
  readonly path?: string | undefined
  readonly watch?: HangWatch | undefined
}

/** What came of a check. */
export interface Outcome {
  readonly check: Check
  readonly inputs: number
  readonly seconds: number
  readonly figures: Readonly<Record<string, number>>
  /** The smallest input that was found for which it does not hold, and how to see it again; null where it holds. */
  readonly violation: string | null
}

/** Enough for most inputs to become small, however late one was found. */
const SHRINKING_MS = 10_000
const MOST_SHOWN = 4_000

/** Tries inputs until the time is over, or one is found for which it does not hold. */
export async function runCheck(check: Check, options: RunOptions): Promise<Outcome> {
  const begunAt = performance.now()
  const opened = await check.open()
  try {
    const property = watched(opened.property, check, options)
    const found = await fc.check(property, parametersOf(options))
    const details =
      found.failed && found.interrupted && found.counterexample !== null
        ? await shrinkOn(property, options, found)
        : found
    const seconds = (performance.now() - begunAt) / 1000
    return {
      check,
      inputs: opened.counted?.() ?? found.numRuns,
      seconds,
      figures: opened.figures?.() ?? {},
      // Where the time was over before the first input was through, there is nothing to tell.
      violation: details.failed && details.counterexample !== null ? told(check, details) : null,
    }
  } finally {
    options.watch?.rest()
    await opened.close?.()
  }
}

function parametersOf({ seed, path, milliseconds }: RunOptions): fc.Parameters<unknown> {
  if (path !== undefined) return { seed, path, numRuns: 1 }
  return { seed, numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: milliseconds }
}

async function shrinkOn(
  property: fc.IRawProperty<unknown>,
  { seed }: RunOptions,
  found: fc.RunDetails<unknown>,
): Promise<fc.RunDetails<unknown>> {
  const path = found.counterexamplePath ?? ''
  const details = await fc.check(property, { seed, path, interruptAfterTimeLimit: SHRINKING_MS })
  return details.failed ? details : found
}

/** The same property, of which it is known which input it is at. */
function watched(
  property: fc.IRawProperty<unknown>,
  check: Check,
  { seed, watch }: RunOptions,
): fc.IRawProperty<unknown> {
  if (watch === undefined) return property
  const name = nameOf(check)
  let run = 0
  return {
    isAsync: () => property.isAsync(),
    generate: (random, runId) => {
      run = runId ?? run
      // What is made up may hang as well.
      watch.begin(name, seed, run)
      return property.generate(random, runId)
    },
    shrink: (value) => property.shrink(value),
    run: (value) => {
      watch.begin(name, seed, run)
      return property.run(value)
    },
    runBeforeEach: () => property.runBeforeEach(),
    runAfterEach: () => property.runAfterEach(),
  }
}

function told(check: Check, details: fc.RunDetails<unknown>): string {
  const { seed, counterexamplePath, counterexample, errorInstance, numShrinks } = details
  const error = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  return [
    `${nameOf(check)} does not hold.`,
    cut(error),
    `Input, after ${numShrinks} steps of shrinking: ${cut(written(counterexample))}`,
    `Again: npm run fuzz -- --only ${JSON.stringify(nameOf(check))} --seed ${seed} --path ${counterexamplePath}`,
  ].join('\n')
}

function written(value: unknown): string {
  try {
    return fc.stringify(value)
  } catch {
    return 'one that is too deep to be written down'
  }
}

function cut(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)} … (${text.length} characters)` : text
}
