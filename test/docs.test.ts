import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { missingTests, namedTests } from './named-tests.ts'

/** Pages whose examples that import nothing continue the one before them. */
const PAGES = ['chains', 'durable', 'handlers', 'limits', 'service', 'testing']
const FENCE = /^```ts\n(.*?)^```$/gms

/** Pages whose tables name tests, and the fewest that each of them names. */
const NAMING: readonly (readonly [page: string, fewest: number])[] = [
  ['acceptance', 150],
  ['durable-requirements', 70],
  ['rf-112', 200],
]

const root = fileURLToPath(new URL('..', import.meta.url))

/** The examples of a page as modules. */
async function modulesOf(page: string): Promise<string[]> {
  const modules: string[] = []
  for (const [, text = ''] of (await readFile(join(root, 'docs', `${page}.md`), 'utf8')).matchAll(FENCE)) {
    const before = /^import /m.test(text) ? undefined : modules.pop()
    modules.push(before === undefined ? text : `${before}\n${text}`)
  }
  return modules
}

/** What the compiler says to files that import the sources by the name of the package. */
async function compile(files: ReadonlyMap<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pontual-docs-'))
  try {
    const entryOf = (name: string) => [join(root, 'src', `${name}.ts`)]
    const paths = {
      pontual: entryOf('index'),
      'pontual/testing': entryOf('testing'),
      'pontual/time': entryOf('time'),
      'pontual/postgres': entryOf('postgres'),
      'pontual/pglite': entryOf('pglite'),
      'pontual/server': entryOf('server'),
    }
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { paths, typeRoots: [join(root, 'node_modules/@types')] },
      include: ['*.ts'],
    }
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    for (const [name, text] of files) await writeFile(join(folder, name), `${text}\nexport {}\n`)
    return await new Promise((resolve) => {
      const tsc = join(root, 'node_modules/typescript/bin/tsc')
      execFile(process.execPath, [tsc, '-p', folder], (_error, output) => resolve(output))
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('the examples of the documentation compile', { timeout: 120_000 }, async () => {
  const files = new Map<string, string>()
  for (const page of PAGES) {
    for (const [index, text] of (await modulesOf(page)).entries()) files.set(`${page}-${index + 1}.ts`, text)
  }
  expect(files.size).toBeGreaterThanOrEqual(PAGES.length)
  // One that does not compile shows that the others are looked at.
  files.set('wrong.ts', `${files.get('durable-1.ts') ?? ''}\nconst wrong: number = 'text'`)
  const said = (await compile(files)).trim().split('\n')
  expect(said).toEqual([expect.stringMatching(/wrong\.ts.*error TS2322/)])
})

describe('tests that pages name', () => {
  test.each(NAMING)('%s names tests that exist', async (page, fewest) => {
    const named = namedTests(await readFile(join(root, 'docs', `${page}.md`), 'utf8'))
    expect(named.length).toBeGreaterThanOrEqual(fewest)
    expect(await missingTests(named)).toEqual([])
  })

  test('every row of rf-112 that asks for one names a test, or says that it is to come', async () => {
    const tables = (await readFile(join(root, 'docs/rf-112.md'), 'utf8'))
      .split('\n\n')
      .filter((part) => part.startsWith('| '))
    const asking = tables.filter((table) => table.split('\n', 1)[0]?.includes('shown by'))
    const rows = asking.flatMap((table) => table.trim().split('\n').slice(2))
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.filter((row) => !/ › |\*\*to come\*\*|the same/.test(row))).toEqual([])
  })

  test('that do not exist are noticed', async () => {
    const rows = [
      '| a rule | `rf-112` › what is refused leaves none; › what nobody has written |',
      '| another | `rf-112` › another tenant gets 403 for …; › JOBS_JOB_CREATE tells something |',
    ]
    expect(await missingTests(namedTests(rows.join('\n')))).toEqual(['rf-112 › what nobody has written'])
    await expect(missingTests(namedTests('| a rule | `no-such-file` › a test |'))).rejects.toThrow('no-such-file')
  })
})
