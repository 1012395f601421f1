import type { Driver, Statement, Transaction } from '../../driver/driver.ts'
import { claimHead } from '../claim/claim-head.ts'
import { claimExecutions, claimRatedExecutions } from '../claim/claim-statement.ts'
import { enqueueExecutions } from '../executions/enqueue.ts'
import { enqueueAlike } from '../executions/enqueue-alike.ts'
import { countExecutionsOf } from '../executions/executions.ts'
import { finishExecutions } from '../executions/finish.ts'
import { finishPlainly } from '../executions/finish-plainly.ts'
import { promoteExecutions, releaseExecutions } from '../executions/leases.ts'
import { recoverExecutions } from '../executions/recover.ts'
import { retryExecutions } from '../executions/retry.ts'
import { fireJobs } from '../firing/fire.ts'
import { hearRuns } from '../histories/load.ts'
import { recordItems, recordPlainly } from '../histories/record-statements.ts'
import { findDueJobs } from '../jobs/jobs.ts'
import { renewNode } from '../nodes/nodes.ts'
import { readPulse } from '../nodes/pulse.ts'
import { listExecutions, listExecutionsOfJob } from '../reads/list-executions.ts'
import { findExecutions } from '../reads/read-execution.ts'
import { jobStatistics, tenantStatistics } from '../reads/statistics.ts'
import { globalFigures, tenantFigures } from '../service/watch-alerts.ts'

/** Statements that nodes send all the time, and those of the pages that are opened most. All of them are planned once, for any values. */
const FREQUENT: readonly Statement[] = [
  claimExecutions,
  claimRatedExecutions,
  claimHead,
  readPulse,
  renewNode,
  findDueJobs,
  fireJobs,
  enqueueExecutions,
  enqueueAlike,
  finishPlainly,
  finishExecutions,
  retryExecutions,
  releaseExecutions,
  promoteExecutions,
  recoverExecutions,
  recordPlainly,
  recordItems,
  hearRuns,
  findExecutions,
  listExecutions,
  listExecutionsOfJob,
  countExecutionsOf,
  tenantStatistics,
  jobStatistics,
  globalFigures,
  tenantFigures,
]

const readLimit: Statement = {
  name: 'inspectJit',
  text: `
select case when current_setting('jit')::boolean and pg_jit_available() then current_setting('jit_above_cost')::float8 else -1 end as cost`,
}

const listSwitches: Statement = {
  name: 'inspectPlannerSettings',
  text: `
select
  name,
  source,
  current_user::text as role,
  current_database()::text as database,
  null as "function"
from pg_settings
where starts_with(name, 'enable_')
  and setting = 'off'
  and boot_val = 'on'
union all
select
  split_part(setting, '=', 1),
  'function',
  current_user::text,
  current_database()::text,
  pg_proc.oid::regprocedure::text
from pg_proc
cross join unnest(proconfig) as setting
where pronamespace = (select oid from pg_namespace where nspname = 'pontual')
  and starts_with(setting, 'enable_')
  and split_part(setting, '=', 2) in ('off', 'false', 'no', '0')
order by 5 nulls first, 1`,
}

const countParameters: Statement = {
  name: 'countParameters',
  text: `select coalesce(cardinality(parameter_types), 0) as count from pg_prepared_statements where name = 'pontual_inspected'`,
}

/** A setting that keeps the planner from a kind of plan. */
export interface PlannerSwitch {
  /** Such as `enable_sort`. */
  readonly name: string
  /** As in `pg_settings`; `function` if one function has it. */
  readonly source: string
  readonly role: string
  readonly database: string
  readonly function: string | null
}

interface PlanEstimate {
  /** Of the statement. */
  readonly name: string
  readonly cost: number
}

export interface PlanFacts {
  readonly estimates: readonly PlanEstimate[]
  readonly switches: readonly PlannerSwitch[]
  /** The cost above which the server compiles a statement (JIT); null if it compiles none. */
  readonly jitAboveCost: number | null
}

interface Explained {
  readonly Plan: { readonly 'Total Cost': number }
}

/** How the server plans the frequent statements for this role. Nothing is executed: neither the statements nor the functions that they call. */
export async function inspectPlans(driver: Driver): Promise<PlanFacts> {
  const [limit] = await driver.query<{ cost: number }>(readLimit)
  const switches = await driver.query<PlannerSwitch>(listSwitches)
  const estimates = await driver.transaction(async (transaction) => {
    await transaction.script('set transaction read only; set local plan_cache_mode = force_generic_plan')
    const found: PlanEstimate[] = []
    for (const statement of FREQUENT) found.push(await estimate(transaction, statement))
    return found
  })
  return { estimates, switches, jitAboveCost: limit && limit.cost >= 0 ? limit.cost : null }
}

async function estimate(transaction: Transaction, { name, text }: Statement): Promise<PlanEstimate> {
  await transaction.script(`prepare pontual_inspected as ${text}`)
  const [parameters] = await transaction.query<{ count: number }>(countParameters)
  const values = Array.from({ length: parameters?.count ?? 0 }, () => 'null').join(', ')
  const explain = `explain (format json) execute pontual_inspected${values && `(${values})`}`
  const [row] = await transaction.query<{ 'QUERY PLAN': readonly Explained[] }>({ name, text: explain, isOnce: true })
  await transaction.script('deallocate pontual_inspected')
  return { name, cost: row?.['QUERY PLAN'][0]?.Plan['Total Cost'] ?? 0 }
}
