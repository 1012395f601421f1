import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BuildOptions, build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, isPostgresSkipped } from '../../harness/postgres/database.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const ours = fileURLToPath(new URL('.', import.meta.url))
const makeDist = "import('./scripts/build.mjs').then((build) => build.ensureBuilt())"
/** CommonJS packages within an ES module call `require`. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

/** On a busy machine PGlite takes ten seconds to open. */
const LIMIT_MS = 180_000

const FORMATS: readonly [string, BuildOptions][] = [
  ['an ES module', { format: 'esm', outExtension: { '.js': '.mjs' }, banner: { js: REQUIRE } }],
  ['CommonJS, minified', { format: 'cjs', outExtension: { '.js': '.cjs' }, minify: true }],
]

interface Seen {
  readonly results: Readonly<Record<string, unknown>>
  readonly renewedMsAgo: number
  readonly logged: readonly string[]
  readonly spans: readonly string[]
}

let folder = ''

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['-e', makeDist, '.'], { cwd: root })
  folder = await mkdtemp(join(tmpdir(), 'pontual-bundle-'))
  // The sources are where they find the package; the bundles are where they find none but PGlite, whose files no bundler takes along.
  await mkdir(join(folder, 'sources/node_modules'), { recursive: true })
  await symlink(root, join(folder, 'sources/node_modules/pontual'))
  await symlink(join(root, 'node_modules/@opentelemetry'), join(folder, 'sources/node_modules/@opentelemetry'))
  await cp(ours, join(folder, 'sources'), { recursive: true })
  await mkdir(join(folder, 'bundles/node_modules'), { recursive: true })
  await symlink(join(root, 'node_modules/@electric-sql'), join(folder, 'bundles/node_modules/@electric-sql'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

async function bundle(options: BuildOptions): Promise<{ program: string; handler: string }> {
  const extension = options.outExtension?.['.js'] ?? '.js'
  await build({
    entryPoints: ['program.mjs', 'handler.mjs'].map((name) => join(folder, 'sources', name)),
    outdir: join(folder, 'bundles'),
    bundle: true,
    platform: 'node',
    external: ['@electric-sql/pglite', 'pg-native'],
    logLevel: 'silent',
    ...options,
  })
  const [program = '', handler = ''] = ['program', 'handler'].map((name) => join(folder, 'bundles', name + extension))
  return { program, handler }
}

/** Runs a program in a folder that has nothing to do with it. */
async function run(program: string, env: NodeJS.ProcessEnv): Promise<Seen> {
  const child = spawn(process.execPath, [program], { cwd: tmpdir(), env: { PATH: process.env['PATH'], ...env } })
  const [output, errors] = [child.stdout, child.stderr].map(async (stream) => {
    let text = ''
    for await (const chunk of stream.setEncoding('utf8')) text += chunk
    return text
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect([code, await errors]).toEqual([0, ''])
  return JSON.parse((await output) ?? '') as Seen
}

describe('a program that esbuild has made one file of', () => {
  describe.each(FORMATS)('as %s', (_name, options) => {
    const results = {
      plain: [1, 'plain'],
      'in-thread': [1, false],
      'in-process': [1, true],
      'from-module': [1, 'from-module', 'from-module'],
      'module-in-process': [1, 'module-in-process', 'module-in-process'],
    }

    it('runs on PGlite, with its isolated handlers and its spans', { timeout: LIMIT_MS }, async () => {
      const { program, handler } = await bundle(options)
      const seen = await run(program, { HANDLER: handler })
      expect(seen).toMatchObject({ results, logged: [] })
      expect(seen.spans).toEqual(expect.arrayContaining(['enqueue plain', 'run plain']))
    })

    it.skipIf(isPostgresSkipped())(
      'runs on PostgreSQL, and renews its lease from a thread',
      { timeout: LIMIT_MS },
      async () => {
        const { program, handler } = await bundle(options)
        const database = await createDatabase()
        try {
          const seen = await run(program, { HANDLER: handler, DATABASE_URL: database.url })
          expect(seen).toMatchObject({ results })
          // On a busy machine one renewal may be late.
          expect(seen.logged.filter((line) => line.includes('not renewed from a thread'))).toEqual([])
          expect(seen.renewedMsAgo).toBeLessThan(5_000)
        } finally {
          await database.drop()
        }
      },
    )
  })
})
