import { afterAll, beforeAll, describe, inject, it } from 'vitest'
import type { ServerAnswer } from '../../harness/postgres/broker.ts'
import { isPostgresSkipped } from '../../harness/postgres/database.ts'
import { Copy } from '../planted/copy.ts'
import { PLANTED_BUGS } from '../planted/registry.ts'
import { type NamedTest, namedTest, resultsOf, runTests, type TestResult } from '../planted/run-tests.ts'
import { Proof } from './proof.ts'

const isWithoutServer = isPostgresSkipped()
const ON_POSTGRES = /^conformance\/postgres(?:-together)? › /
const BUGS = PLANTED_BUGS.filter(({ name, tests = [] }) => {
  const needsServer = name.startsWith('SQL: ') || tests.every((test) => ON_POSTGRES.test(test))
  return tests.length > 0 && !(isWithoutServer && needsServer)
}).map((bug) => ({ bug, tests: (bug.tests ?? []).map(namedTest) }))

/** How many are tried at once: each is a run of vitest. */
const AT_ONCE = 2

describe('a planted bug', () => {
  const copies: Copy[] = []
  const free: Copy[] = []
  const waiting: ((copy: Copy) => void)[] = []
  let databaseUrl: string | null = null
  let healthy: readonly TestResult[]
  let caught = 0
  const proof = new Proof('mutants')

  beforeAll(async () => {
    for (let count = 0; count < AT_ONCE; count++) copies.push(new Copy())
    free.push(...copies)
    databaseUrl = isWithoutServer ? null : await serverUrl()
    const tests = BUGS.flatMap(({ tests }) => tests)
    healthy = await runTests(copies[0]!.folder, tests, databaseUrl)
  })
  afterAll(() => {
    for (const copy of copies) copy[Symbol.dispose]()
    const what = 'bugs planted in the sources, each seen by the tests named for it'
    proof.count({ section: 'faults', invariants: [], what }, caught, BUGS.length)
    proof.require(caught === BUGS.length, () => `${BUGS.length - caught} were not seen.`)
    proof.keep()
  })

  /** Works with a copy that nobody else has. */
  async function withCopy<Result>(work: (copy: Copy) => Promise<Result>): Promise<Result> {
    const copy = free.pop() ?? (await new Promise<Copy>((resolve) => waiting.push(resolve)))
    try {
      return await work(copy)
    } finally {
      const next = waiting.shift()
      if (next) next(copy)
      else free.push(copy)
    }
  }

  it.concurrent.each(BUGS.map(({ bug, tests }) => [bug.invariant, bug.name, bug, tests] as const))(
    '%s: %s',
    async (_invariant, name, bug, tests) => {
      for (const test of tests) requirePassed(test.join(' › '), resultsOf(healthy, test))
      const results = await withCopy(async (copy) => {
        using _planted = copy.plant(bug)
        return await runTests(copy.folder, tests, databaseUrl)
      })
      console.log(`${bug.invariant}: ${name}\n  seen: ${requireCaught(name, tests, results)}`)
      caught += 1
    },
  )
})

/** The server of this run serves all runs in it. */
async function serverUrl(): Promise<string> {
  const answer = (await (await fetch(inject('postgresBroker'))).json()) as ServerAnswer
  if ('failure' in answer) throw new Error(answer.failure)
  return answer.url
}

function requirePassed(test: string, results: readonly TestResult[]): void {
  if (results.length === 0) throw new Error(`There is no such test: ${test}`)
  const failed = results.filter(({ hasPassed }) => !hasPassed)
  if (failed.length > 0) throw new Error(`Fails without any bug: ${test}\n${failed.map(told).join('\n')}`)
}

/** Every test that is named fails, and at least one because it compared: that something breaks is not enough. Returns what it saw. */
function requireCaught(name: string, tests: readonly NamedTest[], results: readonly TestResult[]): string {
  const failed = tests.flatMap((test) => {
    const ofTest = resultsOf(results, test)
    if (ofTest.length === 0) throw new Error(`With "${name}" there is no result of ${test.join(' › ')}`)
    const unlike = ofTest.filter(({ hasPassed }) => !hasPassed)
    if (unlike.length === 0) throw new Error(`"${name}" survives ${test.join(' › ')}`)
    return unlike
  })
  const seen = failed.flatMap(({ reasons }) => reasons).find(isComparison)
  if (seen !== undefined) return seen
  throw new Error(`"${name}" breaks, but no test sees it:\n${failed.map(told).join('\n')}`)
}

/** What vitest and fast-check say where an expectation does not hold. */
function isComparison(reason: string): boolean {
  return /^(AssertionError: |Error: promise (resolved|rejected) |Error: Property failed )/.test(reason)
}

function told({ name, reasons }: TestResult): string {
  return `${name}: ${reasons.join('; ')}`
}
