/**
 * Tests that `npm test` leaves out because of their time: races and query plans on a server, the same tests on PGlite and other versions, every page in a
 * browser, and tests that wait in real time. CI runs them (`npm test -- others`).
 */
export const OTHERS = [
  'src/store/postgres/nodes/renewal.test.ts',
  'test/suites/conformance/postgres-together.test.ts',
  'test/suites/plans/plans.test.ts',
  'test/suites/conformance/pglite.test.ts',
  'test/suites/conformance/postgres-14.test.ts',
  'test/suites/conformance/second-schema.test.ts',
  'test/suites/conformance/stock.test.ts',
  'test/suites/upgrade/postgres-14.test.ts',
  'test/suites/conformance/encrypted-postgres.test.ts',
  'test/suites/encryption/postgres.test.ts',
  'test/http/api/postgres.test.ts',
  'test/http/api/rf-112/postgres.test.ts',
  'test/suites/scenarios/isolation.test.ts',
  'test/proofs/transaction-races/',
  'test/http/cli/dev-on-pglite.test.ts',
  'test/http/cli/dev-reload.test.ts',
  'test/http/cli/doctor.test.ts',
  'test/http/cli/doctor-plans.test.ts',
  'test/http/cli/operate-dev.test.ts',
  'test/http/cli/roles.test.ts',
  'test/http/cli/service-process.test.ts',
  'test/http/cli/stop-process.test.ts',
  'test/repo/bundles/',
  'test/http/cli/two-services.test.ts',
  'test/repo/docs/commands.test.ts',
  'test/repo/docs/tutorial.test.ts',
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
  'test/suites/plans/claim.test.ts',
  'test/proofs/torture/',
]

/** Scenarios that `npm test -- others` runs a second time, on the PostgreSQL of the system with its default settings. */
export const ON_STOCK_SERVER = [
  'test/suites/scenarios/overlap.test.ts',
  'test/suites/scenarios/rate-limit.test.ts',
  'test/suites/scenarios/priority.test.ts',
  'test/suites/scenarios/tenants.test.ts',
  'test/suites/scenarios/schedule.test.ts',
  'test/suites/scenarios/schedule-cluster.test.ts',
  'test/suites/scenarios/durable.test.ts',
  'test/suites/scenarios/values.test.ts',
]

/** What runs on PGlite, behind PgBouncer or on an old server as it does on a new one, where all that is special about them is tested anyway (`npm run prove -- databases`). */
export const DATABASES = [
  'test/suites/conformance/pgbouncer.test.ts',
  'test/suites/conformance/postgres-14-together.test.ts',
  'test/http/api/pglite.test.ts',
  'test/http/api/rf-112/pglite.test.ts',
  'test/suites/scenarios/durable-pglite.test.ts',
  'test/suites/scenarios/schedule-pglite.test.ts',
  'test/suites/scenarios/misfire-queued-outage-pglite.test.ts',
  'test/suites/scenarios/cache-pglite.test.ts',
  'test/suites/scenarios/chains-pglite.test.ts',
  'test/suites/scenarios/values-pglite.test.ts',
  'test/suites/encryption/canary-pglite.test.ts',
]
