const DEFAULTS = 'graphile-worker (defaults)'

/** How many times as good Pontual has to be: by the id of the workload, by contestant, by measure. */
export const AGAINST_OTHERS = {
  'enqueue-1': { 'graphile-worker': { rate: 3 }, 'pg-boss': { rate: 3 } },
  'enqueue-32': { 'graphile-worker': { rate: 20 }, 'pg-boss': { rate: 20 }, 'BullMQ on Redis': { rate: 1.5 } },
  'bulk-1': { 'graphile-worker': { rate: 2.5 } },
  drain: {
    'bare SQL': { rate: 0.85 },
    'graphile-worker': { rate: 1.5 },
    'pg-boss': { rate: 2 },
    'BullMQ on PostgreSQL': { rate: 20 },
  },
  'pickup-idle': { [DEFAULTS]: { p50: 1, p99: 1 }, 'BullMQ on Redis': { p50: 1 } },
  schedules: { 'BullMQ on Redis': { seconds: 4 } },
  tenants: { 'pg-boss': { rate: 8 } },
  'api-list': { 'bare Hono': { requestRate: 0.5 } },
  'api-get': { 'bare Hono': { requestRate: 0.5 } },
  'api-create': { 'bare Hono': { requestRate: 0.5 } },
  'api-execute': { 'bare Hono': { requestRate: 0.5 } },
  'durable-1': { DBOS: { activityRate: 2 } },
  'durable-100': { DBOS: { activityRate: 20 }, OpenWorkflow: { activityRate: 12 }, Absurd: { activityRate: 12 } },
}

/** What holds for Pontual by itself: a measure of one workload, as a number or against the same measure of another one. */
export const BY_ITSELF = [
  { id: 'drain-finished', measure: 'rate', against: 'drain-empty', atLeast: 0.9 },
  { id: 'drain-waiting', measure: 'claimUs', against: 'refill', atMost: 1.2 },
  { id: 'tenants', measure: 'most', atMost: 10 },
  { id: 'flood', measure: 'lateMs', atMost: 1_000 },
  { id: 'idle', measure: 'statements', atMost: 2 },
  // Six for the run itself; a node renews its lease and looks what is due besides.
  { id: 'four-1', measure: 'runStatements', atMost: 6.1 },
  { id: 'four-100', measure: 'runStatements', atMost: 3 },
]
