import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

// A condition on the parameters of a suite is an `if`; a condition on the machine is a `skipIf` that adds its reason to the LEFT OUT line.
const FORBIDDEN = /\b(?:it|test|describe)\b(?:\.\w+)*\.(?:skip|only|todo|runIf)\b/g
/** The name in the condition of a skipIf, outside a block comment. */
const CONDITION = /^[^*\n]*\.skipIf\(!?(\w+)/gm
const LEAVES_OUT = /\bleaveOut\(/

/** Returns the faults of a test file; `read` returns the text of a file that it imports. */
function faultsIn(text: string, read: (path: string) => string): string[] {
  const forbidden = [...text.matchAll(FORBIDDEN)].map(([found]) => found)
  const silent = [...text.matchAll(CONDITION)].filter(([, name = '']) => !hasReason(name, text, read))
  return [...forbidden, ...silent.map(([, name]) => `skipIf(${name}) without leaveOut()`)]
}

/** Tells if the condition is the result of a function of a file that calls leaveOut(). */
function hasReason(condition: string, text: string, read: (path: string) => string): boolean {
  const name = new RegExp(`\\bconst ${condition} = (\\w+)[(<]`).exec(text)?.[1] ?? condition
  if (new RegExp(`\\bfunction ${name}\\(`).test(text)) return LEAVES_OUT.test(text)
  const path = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '(\\.[^']+)'`).exec(text)?.[1]
  return path !== undefined && LEAVES_OUT.test(read(path))
}

describe('skipped tests', () => {
  it('say why', () => {
    const folders = ['src', 'test', 'dashboard/src']
    const paths = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
    )
    const files = paths.filter((path) => /\.tsx?$/.test(path) && !path.endsWith('test/repo/skips.test.ts'))
    const faults = files.flatMap((file) => {
      const read = (path: string) => readFileSync(join(root, path), 'utf8')
      return faultsIn(read(file), (path) => read(join(dirname(file), path))).map((fault) => `${file}: ${fault}`)
    })
    expect(files.length).toBeGreaterThan(1_000)
    expect(faults).toEqual([])
  })

  const findShell = `import { findShell } from './shell.ts'\n`
  const shell = `export function findShell() { leaveOut('tests of commands', 'install bash') }`

  it.each([
    ['only one test', `it.only('runs', () => {})`, ['it.only']],
    ['never', `describe.skip('a suite', () => {})`, ['describe.skip']],
    ['later', `it.concurrent.todo('runs')`, ['it.concurrent.todo']],
    ['on a condition without a reason', `it.runIf(isLinux)('runs', () => {})`, ['it.runIf']],
    ['unless the machine has it', `${shell}\nit.skipIf(!findShell())('runs', () => {})`, []],
    ['unless the imported function finds it', `${findShell}const bash = findShell()\nit.skipIf(!bash)`, []],
    ['on a local condition', `const isMac = platform() === 'darwin'\nit.skipIf(isMac)`, ['isMac']],
  ])('%s', (_when, text, expected) => {
    const faults = faultsIn(text, () => shell)
    expect(faults).toEqual(expected.map((fault) => expect.stringContaining(fault) as string))
  })
})
