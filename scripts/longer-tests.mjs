/** What takes longer than a few minutes allow: the same tests once more on a server, on PGlite and on other versions, every page in a browser, and what waits in real time. For CI (`npm test -- others`), and for whoever asks by name. */
export const OTHERS = [
  'test/conformance/pglite.test.ts',
  'test/conformance/postgres-14.test.ts',
  'test/conformance/stock.test.ts',
  'test/upgrade/postgres-14.test.ts',
  'test/conformance/encrypted-postgres.test.ts',
  'test/encryption/postgres.test.ts',
  'test/api/postgres.test.ts',
  'test/api/rf-112/postgres.test.ts',
  'test/scenarios/isolation.test.ts',
  'test/isolation/',
  'test/cli/dev-on-pglite.test.ts',
  'test/cli/dev-reload.test.ts',
  'test/cli/doctor.test.ts',
  'test/cli/operate-dev.test.ts',
  'test/cli/service-process.test.ts',
  'test/cli/stop-process.test.ts',
  'test/docs/commands.test.ts',
  'test/docs/tutorial.test.ts',
  'test/browser/approvals.test.ts',
  'test/browser/execution.test.ts',
  'test/browser/executions.test.ts',
  'test/browser/govern.test.ts',
  'test/browser/job-form.test.ts',
  'test/browser/job.test.ts',
  'test/browser/jobs.test.ts',
  'test/browser/large-tenant.test.ts',
  'test/browser/live.test.ts',
  'test/browser/overview.test.ts',
  'test/browser/palette.test.ts',
  'test/browser/plan.test.ts',
  'test/plans/claim.test.ts',
  'test/torture/',
]

/** Scenarios that `npm test -- others` runs a second time, on the PostgreSQL of the system with its default settings. */
export const ON_STOCK_SERVER = [
  'test/scenarios/overlap.test.ts',
  'test/scenarios/rate-limit.test.ts',
  'test/scenarios/priority.test.ts',
  'test/scenarios/tenants.test.ts',
  'test/scenarios/schedule.test.ts',
  'test/scenarios/schedule-cluster.test.ts',
  'test/scenarios/durable.test.ts',
]

/** What runs on PGlite, behind PgBouncer or on an old server as it does on a new one, where all that is special about them is tested anyway (`npm run prove -- databases`). */
export const DATABASES = [
  'test/conformance/pgbouncer.test.ts',
  'test/conformance/postgres-14-together.test.ts',
  'test/api/pglite.test.ts',
  'test/api/rf-112/pglite.test.ts',
  'test/scenarios/durable-pglite.test.ts',
  'test/scenarios/schedule-pglite.test.ts',
  'test/scenarios/cache-pglite.test.ts',
  'test/scenarios/chains-pglite.test.ts',
  'test/encryption/canary-pglite.test.ts',
]
