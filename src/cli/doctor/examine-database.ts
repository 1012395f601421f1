import type { Env } from '../../clock.ts'
import { PontualError } from '../../errors.ts'
import type { Driver } from '../../store/driver/driver.ts'
import type { Pooling } from '../../store/driver/pg-pooling.ts'
import { KeyRing } from '../../store/encryption/key-ring.ts'
import { inspectKeys } from '../../store/postgres/inspect/keys.ts'
import { inspectPlans } from '../../store/postgres/inspect/plans.ts'
import { inspectOwners } from '../../store/postgres/inspect/roles.ts'
import { inspectIndexes, inspectPartitions, inspectRowSecurity } from '../../store/postgres/inspect/schema.ts'
import { inspectClock, inspectServer } from '../../store/postgres/inspect/server.ts'
import { inspectSpace } from '../../store/postgres/inspect/space.ts'
import { inspectWork } from '../../store/postgres/inspect/work.ts'
import { inspectOffsets, inspectZones, type ZoneOffset } from '../../store/postgres/inspect/zones.ts'
import { readApplied } from '../../store/postgres/schema/migrate.ts'
import { readSchema } from '../../store/postgres/schema/sources.ts'
import { zoneOf } from '../../time/zone.ts'
import { judgeZoneData } from './examine-machine.ts'
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
import { judgeNodes, judgeOrphans, judgeOverdue, judgeQueue, judgeStaleWork, type StartCommand } from './judge-work.ts'
import { type Finding, find, skipped } from './judgement.ts'

/** A database that is looked at, and changed in nothing. */
export interface Patient {
  readonly driver: Driver
  readonly env: Env
  /** What stands before the server; null for one within this process. */
  readonly findPooling: (() => Promise<Pooling>) | null
  /** The key ring of this environment, as text; null where it has none. */
  readonly keyRing: string | null
}

/** All checks of a database, one after another. */
export async function* examineDatabase(patient: Patient): AsyncGenerator<Finding> {
  yield* examineServer(patient)
  const migrations = await find('migrations', async () =>
    judgeMigrations(readSchema(), await readApplied(patient.driver)),
  )
  yield migrations
  if (migrations.verdict !== 'ok') {
    yield {
      check: 'tables and work',
      ...skipped('they are looked at once the database is at the version of this code'),
    }
    return
  }
  yield* examineTables(patient)
}

async function* examineServer({ driver, env, findPooling }: Patient): AsyncGenerator<Finding> {
  const server = inspectServer(driver)
  // Each check awaits it, and says so.
  server.catch(() => {})
  yield await find('database', async () => judgeVersion(await server, findPooling === null))
  if (findPooling !== null) {
    yield await find('settings', async () => judgeSettings(await server))
    yield await find('connections', async () => judgeConnections(await server))
    yield await find('pooler', async () => judgePooling(await findPooling()))
  }
  yield await find('clock', async () => judgeClock(await inspectClock(driver, env)))
}

async function* examineTables(patient: Patient): AsyncGenerator<Finding> {
  const { driver, env, keyRing } = patient
  yield await find('indexes', async () => judgeIndexes(await inspectIndexes(driver), driver.schema))
  const rowSecurity = inspectRowSecurity(driver)
  yield await find('row security', async () => judgeRowSecurity(await rowSecurity, driver.schema))
  const isBlind = await rowSecurity.then(
    ({ isOn, isEngine }) => isOn && !isEngine,
    () => true,
  )
  if (isBlind) {
    yield { check: 'work', ...skipped('row security shows this role nothing of it') }
    return
  }
  if (patient.findPooling !== null) {
    yield await find('roles', async () => judgeRoles(await inspectOwners(driver)))
    yield await find('plans', async () => judgePlans(await inspectPlans(driver)))
  }
  yield await find('partitions', async () => judgePartitions(await inspectPartitions(driver)))
  yield await find('zone data', async () => judgeZoneData(await zoneData(driver, env)))
  yield await find('encryption', async () => judgeKeys(await inspectKeys(driver), readRing(keyRing)))
  yield* examineWork(driver, patient.findPooling === null ? 'npx pontual dev' : 'npx pontual start')
  if (patient.findPooling !== null) {
    yield await find('connections of nodes', async () =>
      judgeNodeConnections((await inspectWork(driver)).nodes, await inspectServer(driver)),
    )
  }
  const space = inspectSpace(driver)
  space.catch(() => {})
  yield await find('dead rows', async () => judgeBloat(await space))
  yield await find('old transactions', async () => judgeOldTransactions(await space))
}

async function* examineWork(driver: Driver, start: StartCommand): AsyncGenerator<Finding> {
  const work = inspectWork(driver)
  work.catch(() => {})
  yield await find('nodes', async () => judgeNodes((await work).nodes, start))
  yield await find('stale work', async () => judgeStaleWork((await work).nodes, start))
  yield await find('orphaned slots', async () => judgeOrphans((await work).orphans, (await work).nodes, start))
  yield await find('queue', async () => judgeQueue((await work).waiting, (await work).nodes, start))
  yield await find('overdue', async () => judgeOverdue((await work).overdue, (await work).nodes, start))
}

async function zoneData(driver: Driver, env: Env) {
  const own = ownOffsets()
  const database = await inspectOffsets(driver, own)
  const unknown = (await inspectZones(driver)).filter(({ zone }) => !isKnown(zone))
  const { tz, icu } = process.versions
  return { tz, icu, year: new Date(env.now()).getUTCFullYear(), unknown, own, database }
}

/** Ids alone: of the keys themselves nothing is told. */
function readRing(text: string | null): RingFacts {
  try {
    return { ids: text === null ? null : new KeyRing(text).ids, refusal: null }
  } catch (error) {
    if (!(error instanceof PontualError)) throw error
    return { ids: null, refusal: error.message }
  }
}

/** Zones whose rules have changed since 2018, with an instant at which those who know differ from those who do not. */
const CHANGED: readonly (readonly [string, string])[] = [
  ['America/Sao_Paulo', '2020-01-15T12:00:00Z'],
  ['Asia/Amman', '2023-01-15T12:00:00Z'],
  ['America/Mexico_City', '2023-07-15T12:00:00Z'],
  ['America/Ciudad_Juarez', '2023-07-15T12:00:00Z'],
  ['Africa/Cairo', '2023-07-15T12:00:00Z'],
  ['America/Nuuk', '2024-07-15T12:00:00Z'],
  ['Asia/Almaty', '2024-07-15T12:00:00Z'],
  ['America/Asuncion', '2025-07-15T12:00:00Z'],
]

/** What this process makes of zones whose rules have changed. */
function ownOffsets(): readonly ZoneOffset[] {
  return CHANGED.map(([zone, instant]) => {
    const at = Date.parse(instant)
    return { zone, at, offsetMs: isKnown(zone) ? zoneOf(zone).toLocal(at) - at : null }
  })
}

function isKnown(zone: string): boolean {
  try {
    zoneOf(zone)
    return true
  } catch {
    return false
  }
}
