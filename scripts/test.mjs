import { main, run, vitest } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

/** The same tests over other ways to a server: for whoever asks by name, and for CI. */
const OTHER_SERVERS = ['test/conformance/postgres-14.test.ts', 'test/conformance/pgbouncer.test.ts']

await main(async () => {
  await ensureDependencies()
  const asked = process.argv.slice(2)
  return run(...vitest(asked.length > 0 ? asked : OTHER_SERVERS.flatMap((path) => ['--exclude', path])))
})
