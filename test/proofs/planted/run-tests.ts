import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { testFile } from './test-files.ts'

/** A test by its file and a part of its name. */
export type NamedTest = readonly [file: string, name: string]

/** Reads `file › name`. */
export function namedTest(text: string): NamedTest {
  const [end = '', ...names] = text.split(' › ')
  return [testFile(end), names.join(' › ')]
}

/** A run that takes longer hangs: a bug may well do that. */
const LONGEST_RUN_MS = 3 * 60_000
/** Long before that a test is given up that takes seconds at most. */
const LONGEST_TEST_MS = 40_000

export interface TestResult {
  readonly file: string
  readonly name: string
  readonly hasPassed: boolean
  /** Why not, the first line of each reason. */
  readonly reasons: readonly string[]
}

/** What vitest says of a run, as far as it is looked at here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[] | null
    }[]
  }[]
}

/** Runs tests of a copy, on a server that is there already; what did not run is left out of the answer. */
export async function runTests(
  folder: string,
  tests: readonly NamedTest[],
  databaseUrl: string | null,
): Promise<readonly TestResult[]> {
  const reportPath = join(folder, 'report.json')
  // A run that breaks down must not be taken for the one before it.
  rmSync(reportPath, { force: true })
  const files = [...new Set(tests.map(([file]) => file))]
  const names = [...new Set(tests.map(([, name]) => escapePattern(name)))]
  const output = await spawned(folder, databaseUrl, [
    ...files,
    `--testNamePattern=${names.join('|')}`,
    `--testTimeout=${LONGEST_TEST_MS}`,
    // In one process, so that nothing is left behind where it has to be killed.
    '--pool=threads',
    '--reporter=json',
    `--outputFile=${reportPath}`,
  ])
  if (!existsSync(reportPath)) throw new Error(`vitest told no results:\n${output}`)
  const report = JSON.parse(readFileSync(reportPath, 'utf8')) as Report
  return report.testResults.flatMap(({ name: path, message, assertionResults }) => {
    // A file that cannot be read shows a mistake in the mutant, not a test that sees it.
    if (message !== '') throw new Error(`${path}: ${message}\n${output}`)
    return assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status, failureMessages }) => ({
        file: path,
        name: fullName,
        hasPassed: status === 'passed',
        reasons: (failureMessages ?? []).map((reason) => reason.split('\n', 1)[0] ?? ''),
      }))
  })
}

/** Those of the results that a name stands for. */
export function resultsOf(results: readonly TestResult[], [file, name]: NamedTest): readonly TestResult[] {
  return results.filter((result) => result.file.endsWith(`/${file}`) && result.name.includes(name))
}

function spawned(folder: string, databaseUrl: string | null, args: readonly string[]): Promise<string> {
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs')
  // What this run of vitest tells its own workers is not for another one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
  if (databaseUrl !== null) env['PONTUAL_TEST_DATABASE_URL'] = databaseUrl
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [vitest, 'run', '--configLoader', 'runner', ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LONGEST_RUN_MS,
      killSignal: 'SIGKILL',
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', reject)
    child.on('close', () => resolve(output))
  })
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
