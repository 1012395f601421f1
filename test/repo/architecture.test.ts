import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findCycle, readSourceFile, readSourceFiles, type SourceFile } from './architecture/import-graph.ts'
import { findViolations, isTest } from './architecture/import-rule.ts'
import { publicNames } from './architecture/public-names.ts'

const folder = fileURLToPath(new URL('../../src', import.meta.url))
const files = readSourceFiles(folder)

describe('src', () => {
  it('keeps the import rule', () => {
    expect(files.length).toBeGreaterThan(0)
    expect(files.flatMap(findViolations)).toEqual([])
  })

  it('has no import cycle', () => {
    expect(findCycle(files.filter(({ path }) => !isTest(path)))).toBeUndefined()
  })
})

describe('what users import', () => {
  it.each(['index.ts', 'time.ts', 'postgres.ts', 'pglite.ts', 'server.ts', 'testing.ts'])(
    'from %s has a doc comment',
    (entry) => {
      const names = publicNames(folder, entry)
      expect(names.length).toBeGreaterThan(0)
      expect(names.filter(({ isDocumented }) => !isDocumented).map(({ name, path }) => `${path}: ${name}`)).toEqual([])
    },
  )
})

function file(path: string, ...imports: string[]): SourceFile {
  return { path, imports, lineCount: 70, hasOnlyReexports: true }
}

describe('the import rule', () => {
  it.each([
    ['time imports errors', 'time/zone.ts', 'errors.ts'],
    ['time imports duration', 'time/misfire.ts', 'duration.ts'],
    ['time imports cronstrue', 'time/describe.ts', 'cronstrue/i18n.js'],
    ['job imports time', 'job/job-type.ts', 'time/trigger.ts'],
    ['durable imports job', 'durable/replay.ts', 'job/activity.ts'],
    ['the port imports job', 'store/store.ts', 'job/execution.ts'],
    ['the engine imports the port', 'engine/running/claimer.ts', 'store/store.ts'],
    ['an adapter imports a driver', 'store/postgres/jobs.ts', 'store/driver/driver.ts'],
    ['a driver imports a database client', 'store/driver/pg.ts', 'pg'],
    ['a driver imports PGlite', 'store/driver/pglite.ts', '@electric-sql/pglite'],
    ['the server imports hono', 'server/route.ts', '@hono/zod-openapi'],
    ['the cli names an adapter', 'cli/commands/dev.ts', 'store/memory/memory.ts'],
    ['the cli imports an entry point', 'cli/commands/cron.ts', 'time.ts'],
    ['an entry point names an adapter', 'postgres.ts', 'store/postgres/store.ts'],
    ['clock imports node:', 'clock.ts', 'node:crypto'],
    ['a test imports anything', 'time/zone.test.ts', 'node:fs'],
  ])('allows that %s', (_fact, path, target) => {
    expect(findViolations(file(path, target))).toEqual([])
  })

  it.each([
    ['time imports nothing from node:', 'time/zone.ts', 'node:fs'],
    ['time does not import the clock', 'time/zone.ts', 'clock.ts'],
    ['time does not import job', 'time/zone.ts', 'job/job-type.ts'],
    ['time imports no package but cronstrue', 'time/zone.ts', 'luxon'],
    ['job does not import the clock', 'job/retry.ts', 'clock.ts'],
    ['access imports nothing from node:', 'access/profile.ts', 'node:crypto'],
    ['errors imports no layer', 'errors.ts', 'time/zone.ts'],
    ['durable does not import the engine', 'durable/replay.ts', 'engine/running/attempt.ts'],
    ['the engine does not name an adapter', 'engine/running/claimer.ts', 'store/memory/memory.ts'],
    ['the engine does not import pontual.ts', 'engine/running/claimer.ts', 'pontual.ts'],
    ['the port does not name an adapter', 'store/store.ts', 'store/postgres/jobs.ts'],
    ['pontual.ts does not import the service', 'pontual.ts', 'service/jobs.ts'],
    ['the service does not import the server', 'service/jobs.ts', 'server/route.ts'],
    ['the service does not import an entry point', 'service/jobs.ts', 'time.ts'],
    ['the server does not import the cli', 'server/route.ts', 'cli/main.ts'],
    ['the server does not name an adapter', 'server/route.ts', 'store/postgres/jobs.ts'],
    ['an adapter does not import a database client', 'store/postgres/jobs.ts', 'pg'],
    ['the cli does not import an HTTP library', 'cli/main.ts', 'hono/cors'],
    ['source does not import a test', 'time/zone.ts', 'time/zone.test.ts'],
    ['source does not import from outside src', 'time/zone.ts', '../test/tables.ts'],
  ])('forbids otherwise: %s', (_fact, path, target) => {
    expect(findViolations(file(path, target))).toEqual([`${path} imports ${target}`])
  })

  it.each(['time/utils.ts', 'time/helpers/zone.ts', 'job/common.ts', 'engine/types.ts'])(
    'forbids the name %s',
    (path) => {
      expect(findViolations(file(path))).toEqual([`${path} has a name that says nothing`])
    },
  )

  it('gives every file a layer', () => {
    expect(findViolations(file('misc/things.ts'))).toEqual(['misc/things.ts belongs to no layer'])
  })

  it('ends a source file at 400 lines, a test nowhere', () => {
    expect(findViolations({ ...file('time/zone.ts'), lineCount: 400 })).toEqual([])
    expect(findViolations({ ...file('time/zone.ts'), lineCount: 401 })).toHaveLength(1)
    expect(findViolations({ ...file('time/zone.test.ts'), lineCount: 3000 })).toEqual([])
  })

  it('lets an entry point hold re-exports only', () => {
    expect(findViolations({ ...file('time.ts'), hasOnlyReexports: false })).toEqual([
      'time.ts holds more than re-exports',
    ])
  })
})

describe('reading imports', () => {
  it.each([
    ['a static import', "import { a } from './a.ts'"],
    ['an import for its effect', "import './a.ts'"],
    ['a type import', "import type { A } from './a.ts'"],
    ['a re-export', "export { a } from './a.ts'"],
    ['a re-export of all', "export * from './a.ts'"],
    ['a dynamic import', "const a = await import('./a.ts')"],
    ['a type in an import expression', "type A = import('./a.ts').A"],
  ])('sees %s', (_form, text) => {
    expect(readSourceFile('time/b.ts', text).imports).toEqual(['time/a.ts'])
  })

  it('does not see what a string or a comment says', () => {
    expect(readSourceFile('b.ts', "// import './a.ts'\nexport const text = \"import './a.ts'\"").imports).toEqual([])
  })

  it('refuses a computed import', () => {
    expect(() => readSourceFile('b.ts', 'await import(name)')).toThrow('computed')
  })

  it.each([
    [true, "export * from './a.ts'\nexport type { B } from './b.ts'"],
    [false, "export * from './a.ts'\nexport const b = 1"],
    [false, "import { a } from './a.ts'\nexport { a }"],
  ])('tells whether a file only re-exports: %s', (expected, text) => {
    expect(readSourceFile('time.ts', text).hasOnlyReexports).toBe(expected)
  })
})

describe('cycles', () => {
  it('are found through any number of files', () => {
    const cycle = [file('x.ts', 'a.ts'), file('a.ts', 'b.ts'), file('b.ts', 'c.ts'), file('c.ts', 'a.ts')]
    expect(findCycle(cycle)).toEqual(['a.ts', 'b.ts', 'c.ts', 'a.ts'])
  })

  it('are not seen where two ways lead to one file', () => {
    expect(
      findCycle([file('a.ts', 'b.ts', 'c.ts'), file('b.ts', 'd.ts'), file('c.ts', 'd.ts'), file('d.ts')]),
    ).toBeUndefined()
  })
})
