import { describe, expect, it } from 'vitest'
import { PontualError } from '../../errors.ts'
import type { Pooling } from '../../store/driver/pg-pooling.ts'
import type { PlanFacts, PlannerSwitch } from '../../store/postgres/inspect/plans.ts'
import type { OwnerFacts } from '../../store/postgres/inspect/roles.ts'
import type { InvalidIndex, PartitionFacts, RowSecurityFacts } from '../../store/postgres/inspect/schema.ts'
import type { ClockFacts, ServerFacts } from '../../store/postgres/inspect/server.ts'
import type { SpaceFacts, TableFacts } from '../../store/postgres/inspect/space.ts'
import type { NodeFacts, OrphanFacts, OverdueFacts, WaitingFacts } from '../../store/postgres/inspect/work.ts'
import type { AppliedSchema } from '../../store/postgres/schema/compare.ts'
import { readFunction, readMigration } from '../../store/postgres/schema/sources.ts'
import { judgeConfigFile, judgeEnvironment, judgeNode, judgeZoneData, type ZoneDataFacts } from './examine-machine.ts'
import {
  judgeIndexes,
  judgeKeys,
  judgeMigrations,
  judgePartitions,
  judgePlans,
  judgeRoles,
  judgeRowSecurity,
  type RingFacts,
} from './judge-schema.ts'
import {
  judgeBloat,
  judgeClock,
  judgeConnections,
  judgeNodeConnections,
  judgeOldTransactions,
  judgePooling,
  judgeSettings,
  judgeVersion,
} from './judge-server.ts'
import { judgeNodes, judgeOrphans, judgeOverdue, judgeQueue, judgeStaleWork } from './judge-work.ts'
import type { Judgement, Verdict } from './judgement.ts'

/** What is to be found, and words that the finding has: of what is wrong, or of what to do. */
function expectVerdict(judgement: Judgement, verdict: Verdict, words: string): void {
  expect(judgement.verdict).toBe(verdict)
  expect(`${judgement.text} ${judgement.remedy ?? ''}`).toContain(words)
  expect(judgement.remedy === null).toBe(verdict === 'ok')
}

const [MINUTE, HOUR] = [60_000, 3_600_000]

describe('this machine', () => {
  it.each<[string, Verdict, string]>([
    ['v18.20.0', 'fail', 'Install Node 20.19'],
    ['v20.18.3', 'fail', 'too old'],
    ['v20.19.0', 'ok', 'v20.19.0'],
    ['v23.1.0', 'warn', 'long-term'],
    ['v24.0.0', 'ok', 'v24.0.0'],
  ])('Node %s: %s', (version, verdict, words) => expectVerdict(judgeNode(version), verdict, words))

  const zones: ZoneDataFacts = { tz: '2025b', icu: '77.1', year: 2026, unknown: [], own: [], database: [] }
  const offset = { zone: 'Asia/Almaty', at: 1, offsetMs: 5 * HOUR }
  it.each<[string, Partial<ZoneDataFacts>, Verdict, string]>([
    ['recent', {}, 'ok', 'tz 2025b, ICU 77.1'],
    ['two years old', { year: 2027 }, 'ok', '2025b'],
    ['three years old', { year: 2028 }, 'warn', 'newest Node'],
    ['of no version', { tz: undefined }, 'warn', 'unknown version'],
    ['the same as the database', { own: [offset], database: [offset] }, 'ok', 'agrees'],
    [
      'other than the database',
      { own: [offset], database: [{ ...offset, offsetMs: 6 * HOUR }] },
      'warn',
      'Asia/Almaty',
    ],
    ['unknown to the database', { own: [offset], database: [{ ...offset, offsetMs: null }] }, 'warn', 'differ'],
    [
      'without the zone of a job',
      { unknown: [{ zone: 'Mars/Olympus', jobName: 'land', jobs: 1 }] },
      'fail',
      'Mars/Olympus (job land)',
    ],
  ])('zone data %s', (_name, facts, verdict, words) =>
    expectVerdict(judgeZoneData({ ...zones, ...facts }), verdict, words),
  )

  it.each<[string[], string | null, Verdict, string]>([
    [[], 'setting.missing', 'ok', 'no PONTUAL_ variable'],
    [['PONTUAL_PORT'], null, 'ok', '1 PONTUAL_ variables'],
    [['PONTUAL_PORT'], 'setting.missing', 'warn', 'would not start: no'],
    [['PONTUAL_PORT'], 'identity.missing', 'warn', '--help'],
    [['PONTUAL_PROT'], 'setting.unknown', 'fail', 'would not start'],
    [['PONTUAL_PORT'], 'setting.invalid', 'fail', 'would not start'],
  ])('environment %j, refused for %s', (names, code, verdict, words) =>
    expectVerdict(judgeEnvironment(names, code === null ? null : new PontualError(code, 'no')), verdict, words),
  )

  it.each<[string | null, string | null, Verdict, string]>([
    [null, null, 'ok', 'none'],
    ['pontual.config.ts', null, 'ok', 'pontual.config.ts'],
    ['pontual.config.ts', 'There is no key "jobz".', 'fail', 'jobz'],
  ])('configuration file %s, refused for %s', (file, refusal, verdict, words) =>
    expectVerdict(judgeConfigFile(file, refusal === null ? null : new PontualError('x', refusal)), verdict, words),
  )
})

describe('the server', () => {
  const server: ServerFacts = {
    version: '18.1',
    versionNumber: 180_001,
    encoding: 'UTF8',
    isReadOnly: false,
    role: 'app',
    maxConnections: 100,
    reservedConnections: 3,
    usedConnections: 10,
    settings: { autovacuum: 'on', fsync: 'on', default_transaction_isolation: 'read committed' },
    statementTimeoutMs: 0,
  }
  const set = (name: string, value: string) => ({ settings: { ...server.settings, [name]: value } })

  it.each<[number, Verdict]>([
    [130_012, 'fail'],
    [140_000, 'ok'],
    [180_001, 'ok'],
  ])('version %d: %s', (versionNumber, verdict) => {
    expectVerdict(judgeVersion({ ...server, versionNumber }), verdict, 'PostgreSQL')
  })

  it.each<[string, Partial<ServerFacts>, Verdict, string]>([
    ['as they should be', {}, 'ok', 'as they should be'],
    ['a standby', { isReadOnly: true }, 'fail', 'primary'],
    ['an encoding', { encoding: 'LATIN1' }, 'fail', 'LATIN1'],
    ['autovacuum', set('autovacuum', 'off'), 'fail', 'autovacuum is off'],
    ['track_counts', set('track_counts', 'off'), 'fail', 'track_counts'],
    ['fsync', set('fsync', 'off'), 'fail', 'destroy'],
    ['full_page_writes', set('full_page_writes', 'off'), 'warn', 'full_page_writes'],
    ['synchronous_commit', set('synchronous_commit', 'off'), 'warn', 'may be lost'],
    ['isolation', set('default_transaction_isolation', 'serializable'), 'fail', 'read committed'],
    ['a short timeout', { statementTimeoutMs: 2_000 }, 'warn', '2 s'],
    ['a long timeout', { statementTimeoutMs: 30_000 }, 'ok', ''],
    ['several', { isReadOnly: true, ...set('full_page_writes', 'off') }, 'fail', 'full_page_writes is off.'],
  ])('settings: %s', (_name, facts, verdict, words) =>
    expectVerdict(judgeSettings({ ...server, ...facts }), verdict, words),
  )

  it.each<[number, Verdict]>([
    [10, 'ok'],
    [78, 'ok'],
    [79, 'warn'],
    [96, 'warn'],
    [97, 'fail'],
  ])('%d of 100 connections: %s', (usedConnections, verdict) =>
    expectVerdict(judgeConnections({ ...server, usedConnections }), verdict, `${usedConnections} of 100`),
  )

  it.each<[string, Partial<NodeFacts>[], Verdict, string]>([
    ['none', [], 'ok', 'no node is connected'],
    ['three of ten', [{}, {}, {}], 'ok', '3 nodes open up to 66 of 97'],
    ['four', [{}, {}, {}, {}], 'warn', '4 nodes open up to 88 of 97 connections.'],
    ['four, of which one is gone', [{}, {}, {}, { isAlive: false }], 'ok', '3 nodes'],
    ['four behind a pooler', [{}, {}, {}, { connections: null }], 'ok', '3 nodes'],
  ])('connections of nodes: %s', (_name, nodes, verdict, words) =>
    expectVerdict(
      judgeNodeConnections(
        nodes.map((change) => ({ ...alive, connections: 22, ...change })),
        server,
      ),
      verdict,
      words,
    ),
  )

  it.each<[Pooling, string]>([
    ['none', 'the server itself'],
    ['session', 'session mode'],
    ['transaction', 'polling, within a second'],
  ])('pooler: %s', (pooling, words) => expectVerdict(judgePooling(pooling), 'ok', words))

  it.each<[ClockFacts, Verdict, string]>([
    [{ aheadMs: 0, uncertaintyMs: 1 }, 'ok', '0 ms apart'],
    [{ aheadMs: -1_999, uncertaintyMs: 0 }, 'ok', ''],
    [{ aheadMs: 2_500, uncertaintyMs: 600 }, 'ok', ''],
    [{ aheadMs: 2_500, uncertaintyMs: 100 }, 'warn', '2 s ahead of'],
    [{ aheadMs: -30_000, uncertaintyMs: 1 }, 'warn', '30 s behind'],
    [{ aheadMs: 61_000, uncertaintyMs: 1_001 }, 'warn', 'NTP'],
    [{ aheadMs: -3_600_000, uncertaintyMs: 1 }, 'fail', '1 h behind'],
  ])('clock %j: %s', (facts, verdict, words) => expectVerdict(judgeClock(facts), verdict, words))
})

describe('the tables', () => {
  const first = readMigration('0001_a', 'a')
  const second = readMigration('0002_b', 'b')
  const wake = readFunction('wake', 'wake')
  const schema = { version: '1.1.0', migrations: [first, second], functions: [wake], epilogue: '' } as const
  const all = { migrations: [first, second], functions: [{ ...wake, version: '1.1.0' }] }
  it.each<[string, AppliedSchema, Verdict, string]>([
    ['none', { migrations: [], functions: [] }, 'fail', 'none of the tables'],
    ['one', { ...all, migrations: [first] }, 'fail', 'lacks 0002_b.'],
    ['all', all, 'ok', 'at version 2'],
    ['more', { ...all, migrations: [first, second, readMigration('0003_c', 'c')] }, 'fail', 'at version 3'],
    ['others', { ...all, migrations: [first, readMigration('0002_b', 'x')] }, 'fail', 'never changes'],
    ['no functions', { ...all, functions: [] }, 'fail', 'lacks the function wake.'],
  ])('migrations: %s are applied', (_name, applied, verdict, words) =>
    expectVerdict(judgeMigrations(schema, applied), verdict, words),
  )

  it.each<[InvalidIndex[], Verdict, string]>([
    [[], 'ok', 'valid'],
    [
      [{ name: 'jobs_due', table: 'jobs', isPartitioned: false }],
      'fail',
      'reindex index concurrently pontual."jobs_due"',
    ],
    [[{ name: 'of_job', table: 'executions', isPartitioned: true }], 'fail', 'reindex index pontual."of_job"'],
  ])('indexes that are not valid: %j', (invalid, verdict, words) =>
    expectVerdict(judgeIndexes(invalid), verdict, words),
  )

  const secure: RowSecurityFacts = { isOn: true, isEngine: true, mayActForTenants: true, role: 'app', openTables: [] }
  it.each<[Partial<RowSecurityFacts>, Verdict, string]>([
    [{}, 'ok', 'in force'],
    [{ isOn: false, openTables: ['jobs'] }, 'fail', 'select pontual.secure_rows()'],
    [{ isEngine: false, mayActForTenants: false }, 'fail', 'shows the role app nothing'],
    [{ mayActForTenants: false }, 'fail', 'grant pontual_engine, pontual_api to "app"'],
    [{ openTables: ['jobs'] }, 'fail', 'not in force on jobs'],
  ])('row security %j: %s', (facts, verdict, words) =>
    expectVerdict(judgeRowSecurity({ ...secure, ...facts }), verdict, words),
  )

  const owner: OwnerFacts = { name: 'pontual_owner', canLogIn: false, role: 'app', isAttainable: false }
  it.each<[string, Partial<OwnerFacts>[], Verdict, string]>([
    ['are separated', [{}], 'ok', 'separated: the tables belong to pontual_owner, which app cannot become'],
    ['are separated by hand', [{ name: 'dba', canLogIn: true }], 'ok', 'separated'],
    ['are one', [{ name: 'app', canLogIn: true, isAttainable: true }], 'warn', 'Simple: the tables belong to app'],
    [
      'are separated, and this one can become the owner',
      [{ role: 'dba', isAttainable: true }],
      'warn',
      'Separated, but dba can become',
    ],
    [
      'are mixed',
      [{}, { name: 'app', canLogIn: true, isAttainable: true }],
      'warn',
      'Simple: the tables belong to pontual_owner, app',
    ],
  ])('roles: they %s', (_name, owners, verdict, words) =>
    expectVerdict(judgeRoles(owners.map((change) => ({ ...owner, ...change }))), verdict, words),
  )

  const planner: PlannerSwitch = { name: 'enable_sort', source: 'user', role: 'a"b', database: 'jobs', function: null }
  const plans: PlanFacts = { estimates: [{ name: 'claim', cost: 2e5 }], switches: [], jitAboveCost: null }
  it.each<[string, Partial<PlanFacts>, Verdict, string, string]>([
    ['cheap', {}, 'ok', '1 frequent statements', ''],
    ['below the cost of JIT', { jitAboveCost: 200_000 }, 'ok', '', ''],
    ['compiled', { jitAboveCost: 100_000 }, 'warn', 'above jit_above_cost (100000)', 'analyze;'],
    ['absurd', { estimates: [{ name: 'fire', cost: 1e10 }] }, 'warn', 'absurd: fire (1.0e+10)', 'analyze;'],
    ['absurd', { estimates: [{ name: 'fire', cost: 1e10 }], jitAboveCost: 1e12 }, 'warn', 'absurd: fire', 'analyze;'],
    [
      'kept from sorting',
      { switches: [planner] },
      'warn',
      'enable_sort is off',
      'alter role "a""b" reset enable_sort;',
    ],
  ])('plans are %s', (_name, facts, verdict, words, remedy) => {
    const found = judgePlans({ ...plans, ...facts })
    expectVerdict(found, verdict, words)
    expect(found.remedy ?? '').toContain(remedy)
  })

  it.each<[PartitionFacts, Verdict, string]>([
    [{ misplaced: [], months: 4 }, 'ok', 'room'],
    [{ misplaced: [], months: 3 }, 'ok', 'room'],
    [{ misplaced: [], months: 2 }, 'warn', '2 have a partition'],
    [{ misplaced: [], months: 0 }, 'fail', 'no partition'],
    [{ misplaced: ['executions'], months: 4 }, 'warn', 'default partition'],
  ])('partitions %j: %s', (facts, verdict, words) => expectVerdict(judgePartitions(facts), verdict, words))

  const none: RingFacts = { ids: null, refusal: null }
  const needed = [{ id: 'old', dataKeys: 2 }]
  it.each<[string, typeof needed, RingFacts, Verdict, string]>([
    ['nothing sealed, no ring', [], none, 'ok', 'off'],
    ['nothing sealed, a ring', [], { ...none, ids: ['new'] }, 'ok', 'nothing is sealed yet'],
    ['sealed, no ring', needed, none, 'warn', 'needs old'],
    ['sealed, another ring', needed, { ...none, ids: ['new'] }, 'fail', 'lacks'],
    ['sealed with an old key', needed, { ...none, ids: ['new', 'old'] }, 'warn', 'keys rotate'],
    ['sealed with the current key', needed, { ...none, ids: ['old'] }, 'ok', 'wrapped with old'],
    ['a ring that cannot be used', [], { ids: null, refusal: 'it has no key' }, 'fail', 'it has no key'],
  ])('encryption: %s', (_name, keys, ring, verdict, words) => expectVerdict(judgeKeys(keys, ring), verdict, words))
})

const alive: NodeFacts = {
  name: 'a',
  connections: null,
  slots: 10,
  queues: ['default'],
  jobTypes: ['import'],
  isAlive: true,
  overMs: 0,
  running: 3,
  largestCap: null,
}
const dead: NodeFacts = { ...alive, name: 'b', isAlive: false, overMs: HOUR, running: 0 }

describe('the work', () => {
  it.each<[string, NodeFacts[], Verdict, string]>([
    ['one lives', [alive], 'ok', '1 alive, 10 slots'],
    ['none', [], 'warn', 'Start a node'],
    ['a dead one stays', [alive, dead], 'warn', 'dead: b (for 1 h)'],
    ['one has just died', [alive, { ...dead, overMs: 5_000 }], 'ok', '1 alive'],
    ['only dead ones', [dead], 'warn', 'No node lives'],
    ['one has more slots than the largest cap', [{ ...alive, largestCap: 9 }], 'ok', '1 alive'],
    [
      'one has as few slots as the largest cap',
      [{ ...alive, largestCap: 10 }],
      'warn',
      'largest cap of a tenant is 10',
    ],
  ])('nodes: %s', (_name, nodes, verdict, words) => expectVerdict(judgeNodes(nodes), verdict, words))

  const holder = { ...dead, running: 2 }
  it.each<[string, NodeFacts[], Verdict, string]>([
    ['none', [alive, dead], 'ok', 'none'],
    ['is about to be taken over', [alive, { ...holder, overMs: 5_000 }], 'warn', '2 executions'],
    ['is not taken over', [alive, holder], 'fail', 'look into the logs'],
    ['and nobody to take it over', [holder], 'fail', 'Start a node'],
  ])('stale work: %s', (_name, nodes, verdict, words) => expectVerdict(judgeStaleWork(nodes), verdict, words))

  const orphan: OrphanFacts = { cause: 'nobody', count: 2, slots: 1, ageMs: HOUR, executionId: 'x' }
  it.each<[string, OrphanFacts[], NodeFacts[], Verdict, string]>([
    ['none', [], [alive], 'ok', 'none'],
    ['young', [{ ...orphan, ageMs: 5_000 }], [alive], 'warn', 'no longer on the list'],
    ['old', [orphan], [alive], 'fail', 'they occupy 1 slots'],
    ['with nobody to free them', [orphan], [], 'fail', 'Start a node'],
    ['of what was removed', [{ ...orphan, cause: 'removed', ageMs: 5_000 }], [alive], 'fail', 'were removed'],
    ['of what has ended', [{ ...orphan, cause: 'ended' }], [alive], 'fail', 'have ended'],
  ])('orphaned slots: %s', (_name, orphans, nodes, verdict, words) =>
    expectVerdict(judgeOrphans(orphans, nodes), verdict, words),
  )

  const lane: WaitingFacts = {
    tenant: 'acme',
    queue: 'default',
    jobType: 'import',
    waitedMs: HOUR,
    isSuspended: false,
    isFull: false,
  }
  it.each<[string, Partial<WaitingFacts>[], NodeFacts[], Verdict, string]>([
    ['empty', [], [], 'ok', 'empty'],
    ['for a short time', [{ waitedMs: MINUTE }], [], 'ok', '1 min'],
    ['and no node lives', [{}], [dead], 'fail', 'no node lives'],
    ['and no node has the job type', [{ jobType: 'mail' }], [alive], 'fail', 'No node takes mail in queue default'],
    ['and no node has the queue', [{ queue: 'slow' }], [alive], 'fail', 'import in queue slow'],
    ['and nodes are busy', [{}], [alive], 'warn', 'too few slots'],
    ['and the tenant is at its limit', [{ isFull: true }], [alive], 'warn', 'acme runs as many as it may'],
    ['and the tenant is suspended', [{ isSuspended: true, isFull: true }], [alive], 'warn', 'JOBS_SCHEDULING'],
  ])('queue: work waits %s', (_name, lanes, nodes, verdict, words) => {
    const waiting = lanes.map((each) => ({ ...lane, ...each }))
    expectVerdict(judgeQueue(waiting, nodes), verdict, words)
  })

  it.each<[OverdueFacts, NodeFacts[], Verdict, string]>([
    [{ jobs: 0, executions: 0 }, [], 'ok', 'nothing'],
    [{ jobs: 2, executions: 0 }, [alive], 'fail', 'do not fire'],
    [{ jobs: 0, executions: 1 }, [], 'warn', 'misfire policy'],
  ])('overdue %j', (facts, nodes, verdict, words) => expectVerdict(judgeOverdue(facts, nodes), verdict, words))
})

describe('the space', () => {
  const table: TableFacts = { name: 'ready', live: 10, dead: 0, bytes: 8_192, isHot: true }
  it.each<[string, Partial<TableFacts>, Verdict, string]>([
    ['few', {}, 'ok', '1 MB'],
    ['many in a table that fills and empties', { dead: 200_000, live: 1e6 }, 'warn', 'vacuum pontual."ready"'],
    ['a small share of a large one', { dead: 200_000, live: 1e6, isHot: false }, 'ok', ''],
    ['most of a large one', { dead: 2e6, live: 1e6, isHot: false, bytes: 2.5e9 }, 'warn', '2000000 in ready (2.5 GB)'],
  ])('dead rows: %s', (_name, facts, verdict, words) =>
    expectVerdict(judgeBloat({ tables: [{ ...table, ...facts }] }), verdict, words),
  )

  const calm = { holders: [], transactionAge: 1e6 }
  it.each<[string, Partial<SpaceFacts>, Verdict, string]>([
    ['none', {}, 'ok', 'none'],
    ['one', { holders: [{ kind: 'transaction', who: '42', ageMs: HOUR }] }, 'warn', 'pg_terminate_backend(42)'],
    ['a prepared one', { holders: [{ kind: 'prepared', who: "it's", ageMs: HOUR }] }, 'warn', "'it''s'"],
    ['a slot', { holders: [{ kind: 'slot', who: 'copy', ageMs: null }] }, 'warn', 'Nobody reads'],
    ['rows never frozen', { transactionAge: 1.2e9 }, 'warn', '1200 million'],
    ['rows never frozen for too long', { transactionAge: 1.9e9 }, 'fail', 'will stop'],
  ])('old transactions: %s', (_name, facts, verdict, words) =>
    expectVerdict(judgeOldTransactions({ ...calm, ...facts }), verdict, words),
  )
})
