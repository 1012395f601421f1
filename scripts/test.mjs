import { main, run, vitest } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

/** The same tests once more on other databases: for whoever asks by name, and for CI. */
const OTHER_DATABASES = [
  'test/conformance/postgres-14.test.ts',
  'test/conformance/pgbouncer.test.ts',
  'test/scenarios/durable-pglite.test.ts',
  'test/api/pglite.test.ts',
  'test/api/rf-112/pglite.test.ts',
  'test/cli/dev-on-pglite.test.ts',
]

await main(async () => {
  await ensureDependencies()
  const asked = process.argv.slice(2)
  return run(...vitest(asked.length > 0 ? asked : OTHER_DATABASES.flatMap((path) => ['--exclude', path])))
})
