import { main, run, vitest } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

/** What takes longer than a few minutes allow: the same tests once more on other databases, and what waits in real time. For whoever asks by name, and for CI (`-- others`). */
const OTHERS = [
  'test/conformance/postgres-14.test.ts',
  'test/conformance/pgbouncer.test.ts',
  'test/scenarios/durable-pglite.test.ts',
  'test/scenarios/schedule-pglite.test.ts',
  'test/scenarios/cache-pglite.test.ts',
  'test/scenarios/chains-pglite.test.ts',
  'test/api/pglite.test.ts',
  'test/api/rf-112/pglite.test.ts',
  'test/cli/dev-on-pglite.test.ts',
  'test/cli/service-docs.test.ts',
  'test/torture/',
]

await main(async () => {
  await ensureDependencies()
  const asked = process.argv.slice(2)
  if (asked.length === 1 && asked[0] === 'others') return run(...vitest(OTHERS))
  return run(...vitest(asked.length > 0 ? asked : OTHERS.flatMap((path) => ['--exclude', excluded(path)])))
})

function excluded(path) {
  return path.endsWith('/') ? `${path}**` : path
}
