import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RunningProgram } from './command.ts'

const LOADER = fileURLToPath(new URL('load-modules.mjs', import.meta.url))

/** Whatever a user may have written, by the name of its file. */
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  'none.config.mjs': 'export default {}',
  'name.ts': `export interface Named { readonly name: string }\nexport const name: string = 'typed'\n`,
  'good.ts': `import { job } from 'pontual'\nimport { name, type Named } from './name.ts'\nexport const typed = job(name, { run: (input: Named) => input })\nexport const others = [job('other', { run: async () => 1 as number })]\nexport const no = { id: 'x' }\n`,
  'many/a.ts': `import { job } from 'pontual'\nexport const a = job('a', { run: async () => 1 })\n`,
  'many/deep/b.mjs': `import { job } from 'pontual'\nexport { a } from '../a.ts'\nexport default job('b', { run: async () => 1 })\n`,
  'many/a.test.ts': `throw new Error('a test is no job')`,
  'enum.ts': `export const a: number = 1\nexport enum Color { Red }\n`,
  'syntax.ts': `export const a: number = 1\nexport const b = = 2\n`,
  'syntax.mjs': `export const a = 1\nexport const b = = 2\n`,
  'missing-export.ts': `import { name } from './name.ts'\nimport { Named } from './name.ts'\nexport const x: Named = { name }\n`,
  'missing-file.ts': `import { name } from './gone.ts'\nexport { name }\n`,
  'missing-ending.ts': `import { name } from './name'\nexport { name }\n`,
  'missing-package.ts': `import 'no-such-package'\n`,
  'throws.ts': `const reason: string = 'boom'\nthrow new Error(reason)\n`,
  'bad-job.ts': `import { job } from 'pontual'\n\nexport const x = job('x', { run: async () => 1, tiemout: '1m' })\n`,
  'module.mts': `import { job } from 'pontual'\nimport names from './names.cts'\nexport const it = job(names.name, { run: async (): Promise<number> => 1 })\n`,
  'names.cts': `const { name } = require('./names.json') as { name: string }\nmodule.exports = { name }\n`,
  'names.json': '{ "name": "from-json" }',
  'json.ts': `import { job } from 'pontual'\nimport names from './names.json' with { type: 'json' }\nexport const it = job(names.name, { run: async () => 1 })\n`,
  'json-bare.ts': `import names from './names.json'\nexport { names }\n`,
  'tsconfig.json': '{ "compilerOptions": { "paths": { "shared": ["./name.ts"], "@/*": ["./*"] } } }',
  'alias.ts': `import { name } from '@/name'\nexport { name }\n`,
  'alias-name.ts': `import { name } from 'shared'\nexport { name }\n`,
  'promise.config.ts': `export default Promise.resolve({ jobs: ['good.ts'] })\n`,
  'null-server.config.ts': `export default { server: null }\n`,
  'port.config.ts': `export default { server: { port: '3000' } }\n`,
  'identity.config.ts': `export default { identity: 'jwt' }\n`,
  'store.config.ts': `export default { store: 'postgres://me:secret@host/db' }\n`,
  'nothing.ts': 'export const jobs = []\n',
  'a.config.ts': `import { defineConfig } from 'pontual/server'\nexport default defineConfig({ jobs: ['./many/**/*.{ts,mjs}'] })\n`,
  'unknown.config.ts': `import { defineConfig } from 'pontual/server'\nexport default defineConfig({\n  job: [],\n})\n`,
  'port-outside.config.ts': `export default { prot: 1 }\n`,
  'twice.config.ts': `export default { jobs: ['good.ts', 'other.mjs'] }\n`,
  'other.mjs': `import { job } from 'pontual'\nexport const other = job('other', { run: async () => 2 })\n`,
  'server.config.ts': `export default { server: { prot: 1 } }\n`,
  'named.config.ts': `export const config = {}\n`,
  'empty.config.ts': `export default { jobs: ['nowhere/*.ts'] }\n`,
}

let directory = ''
const said = new Map<string, string>()
const read = new Map<string, readonly string[]>()
beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'pontual-load-')))
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), text)
  }
  const asked = [
    ...Object.keys(FILES).filter((path) => !/json$|none|many|^names?\./.test(path)),
    'gone.ts',
    'gone.config.ts',
  ]
  const { output, errors } = await new RunningProgram([LOADER, directory, ...asked]).ended
  expect(errors).toBe('')
  for (const line of output.trim().split('\n')) {
    const [file, text, loaded] = JSON.parse(line) as [string, string, string[]]
    said.set(file, text)
    read.set(file, loaded)
  }
}, 60_000)
afterAll(() => rm(directory, { recursive: true, force: true }))

describe('a module of the user’s', () => {
  it.each([
    ['is TypeScript, and exports job types one by one or in lists', 'good.ts', 'typed other'],
    ['is an ES module, and imports CommonJS, which requires JSON', 'module.mts', 'from-json'],
    ['imports JSON', 'json.ts', 'from-json'],
    ['is a configuration that has to be waited for', 'promise.config.ts', 'typed other'],
    ['is a configuration that names others by a glob, each job type once, and no tests', 'a.config.ts', 'a b'],
  ])('%s', (_what, file, expected) => {
    expect(said.get(file)?.split(' ').sort()).toEqual(expected.split(' ').sort())
  })

  it('is known by its own files, and those they import', () => {
    expect(read.get('good.ts')).toEqual(expect.arrayContaining(['good.ts', 'name.ts']))
    expect(read.get('good.ts')?.some((file) => file.includes('/src/'))).toBe(false)
  })

  it.each([
    [
      'has an enum',
      'enum.ts',
      'enum.ts:2: TypeScript enum is not supported in strip-only mode\n  export enum Color { Red }\n         ^^^^^^^^^^^^^^^^^^\nTypes are taken out of TypeScript and nothing else is changed: write an enum as an object with `as const`',
    ],
    [
      'has a typing error',
      'syntax.ts',
      'syntax.ts:2: Expression expected\n  export const b = = 2\n                   ^',
    ],
    [
      'is JavaScript and has one',
      'syntax.mjs',
      "syntax.mjs:2: Unexpected token '='\n  export const b = = 2\n                   ^",
    ],
    [
      'imports what is not exported',
      'missing-export.ts',
      "missing-export.ts:2: The requested module './name.ts' does not provide an export named 'Named'\n  import { Named } from './name.ts'\n           ^^^^^\nIf that is a type, import it with `import type`.",
    ],
    [
      'imports a file that is not there',
      'missing-file.ts',
      "Cannot find module 'gone.ts' imported from missing-file.ts",
    ],
    [
      'imports one by half its name',
      'missing-ending.ts',
      "Cannot find module 'name' imported from missing-ending.ts\nWrite its whole name: name.ts",
    ],
    [
      'imports a package that is not installed',
      'missing-package.ts',
      "Cannot find package 'no-such-package' imported from missing-package.ts",
    ],
    [
      'imports JSON without saying so',
      'json-bare.ts',
      "Import it as JSON: import data from './data.json' with { type: 'json' }",
    ],
    ['imports by an alias of the compiler', 'alias.ts', '`paths` of tsconfig.json are not followed'],
    ['imports by an alias that looks like a package', 'alias-name.ts', '`paths` of tsconfig.json are not followed'],
    ['is a configuration whose server is null', 'null-server.config.ts', 'server must be an object, got null'],
    ['is one with a port in quotes', 'port.config.ts', 'server.port must be a whole number of 0-65535, got "3000"'],
    ['is one with a text for an object', 'identity.config.ts', 'identity must be an object, got "jwt"'],
    [
      'is one with an address for a store, which may hold a password',
      'store.config.ts',
      'or a function that gives it, got a text.',
    ],
    ['throws', 'throws.ts', 'throws.ts:2: boom'],
    ['declares a job type wrongly', 'bad-job.ts', 'bad-job.ts:3: Job type "x" has no field "tiemout"; its fields are '],
    ['exports none', 'nothing.ts', '"nothing.ts" exports no job type: export what job(…) gives, or a list of that.'],
    ['is not there', 'gone.ts', 'There is no module "gone.ts" with job types.'],
    [
      'is a configuration with an unknown field',
      'unknown.config.ts',
      'unknown.config.ts:2: The configuration has no field "job"; ',
    ],
    [
      'is one with a field of its server outside',
      'port-outside.config.ts',
      'Did you mean "port" of server: { port: … }?',
    ],
    [
      'declares a job type that another declares',
      'twice.config.ts',
      'Job type "other" is declared in good.ts and in other.mjs',
    ],
    ['is one with an unknown field of its server', 'server.config.ts', 'Did you mean "port"?'],
    [
      'is one that exports nothing by default',
      'named.config.ts',
      'must export a configuration: export default defineConfig({ … })',
    ],
    ['is one whose glob nothing matches', 'empty.config.ts', 'No file matches "nowhere/*.ts".'],
    ['is a configuration that is not there', 'gone.config.ts', '--config: there is no file "gone.config.ts".'],
  ])('%s: that is said, with the place', (_what, file, expected) => {
    expect(said.get(file)).toContain(expected)
  })
})
