import pg from 'pg'
import { postgres } from '../../../src/postgres.ts'
import { verifyAudit } from '../../../src/service/audit/verify.ts'
import { Chance } from '../../harness/chance.ts'
import type { TestDatabase } from '../../harness/postgres/database.ts'
import { forPlainRole } from '../../harness/postgres/plain-role.ts'
import { Bench } from '../../suites/conformance/bench.ts'
import type { Proof } from './proof.ts'

const ENTRIES = 40
const CHAINS_AT_ONCE = 25

/** What who may change everything does to an entry, or to the chain: SQL for a tenant ($1) and an entry ($2). */
const TAMPERINGS: readonly string[] = [
  ...["user_id = 'eve'", 'user_id = null', "operation = 'JOBS_JOB_RESUME'", "at = at - interval '1 millisecond'"].map(
    setEntry,
  ),
  ...['job_id = gen_random_uuid()', 'execution_id = gen_random_uuid()', "old_values = '{}'"].map(setEntry),
  ...["new_values = new_values || ' '", 'old_values = new_values, new_values = old_values'].map(setEntry),
  ...["hash = sha256('x')", "previous_hash = sha256('x')", 'sequence = sequence + 1000', "tenant = tenant || '!'"].map(
    setEntry,
  ),
  "update pontual.audit_entries set user_id = 'eve', hash = sha256(convert_to(user_id, 'UTF8')) where tenant = $1 and sequence = $2",
  'delete from pontual.audit_entries where tenant = $1 and sequence = $2',
  'delete from pontual.audit_entries where tenant = $1 and sequence >= $2',
  'delete from pontual.audit_entries where tenant = $1 and sequence <= $2',
  'update pontual.audit_entries set sequence = -sequence where tenant = $1 and sequence = $2',
  'update pontual.audit_heads set sequence = sequence - 1 where tenant = $1 and $2::int > 0',
  "update pontual.audit_heads set hash = sha256('x') where tenant = $1 and $2::int > 0",
  'delete from pontual.audit_heads where tenant = $1 and $2::int > 0',
]

function setEntry(assignment: string): string {
  return `update pontual.audit_entries set ${assignment} where tenant = $1 and sequence = $2`
}

/** What who may only write to the database is refused. */
const REFUSED: readonly string[] = [
  "update pontual.audit_entries set user_id = 'eve'",
  'delete from pontual.audit_entries',
  'truncate pontual.audit_entries',
]

export interface TamperingReport {
  readonly tamperings: number
  readonly refused: number
}

/** Chains, each changed in one way by a superuser, and verified; and the same asked for by whoever may only write. */
export async function tamper(database: TestDatabase, tamperings: number, proof: Proof): Promise<TamperingReport> {
  const bench = new Bench(() => postgres(database.url, { maxConnections: 4 }))
  const client = new pg.Client({ connectionString: database.url })
  const chance = new Chance(3)
  try {
    await client.connect()
    await bench.open()
    await bench.store.audit.enable()
    for (let done = 0; done < tamperings; done += CHAINS_AT_ONCE) {
      const tenants = Array.from({ length: CHAINS_AT_ONCE }, () => `tenant ${bench.uuid()}`)
      await bench.store.audit.append(
        tenants.flatMap((tenant) => Array.from({ length: ENTRIES }, (_, n) => entry(tenant, n))),
      )
      for (const [index, tenant] of tenants.entries()) {
        const before = await verifyAudit(bench.store.audit, tenant)
        proof.require(before.isIntact && before.entries === ENTRIES, () => `Untouched: ${JSON.stringify(before)}`)
        const sql = TAMPERINGS[(done + index) % TAMPERINGS.length] ?? ''
        const sequence = chance.between(1, ENTRIES)
        await client.query('set session_replication_role = replica')
        const { rowCount } = await client.query(sql, [tenant, sequence])
        await client.query('set session_replication_role = origin')
        const after = await verifyAudit(bench.store.audit, tenant)
        proof.require(
          (rowCount ?? 0) > 0 && !after.isIntact,
          () => `Not noticed at ${sequence} (${rowCount} rows): ${sql}`,
        )
      }
    }
    return { tamperings, refused: await askPlainly(database, proof) }
  } finally {
    await bench.close()
    await client.end()
  }
}

function entry(tenant: string, number: number) {
  const values = (of: number) => ({ text: `value ${of}` })
  const about = { userId: 'ann', jobId: null, executionId: null } as const
  return {
    tenant,
    operation: 'JOBS_JOB_UPDATE',
    ...about,
    oldValues: values(number),
    newValues: values(number + 1),
  } as const
}

async function askPlainly(database: TestDatabase, proof: Proof): Promise<number> {
  const client = new pg.Client({ connectionString: await forPlainRole(database) })
  await client.connect()
  for (const sql of REFUSED) {
    const answer = await client.query(sql).then(
      () => 'done',
      (error: unknown) => (error instanceof pg.DatabaseError ? error.code : String(error)),
    )
    proof.require(answer === '42501', () => `${sql}: ${answer}`)
  }
  await client.end()
  return REFUSED.length
}
