import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Env } from '../../clock.ts'
import { PontualError } from '../../errors.ts'
import { silentLogger } from '../../logger.ts'
import type { Driver } from '../../store/driver/driver.ts'
import { openPgDriver } from '../../store/driver/pg.ts'
import { findPooling } from '../../store/driver/pg-pooling.ts'
import { openPgliteDriver } from '../../store/driver/pglite.ts'
import { pgliteDatabase } from '../../store/driver/pglite-database.ts'
import { DEV_DATA, type DevAddress, demoData, devOn } from '../dev-address.ts'
import type { Environment } from '../start-settings.ts'
import type { Patient } from './examine-database.ts'
import type { Finding } from './finding.ts'
import { fail, warn } from './judgement.ts'

export interface PatientOptions {
  readonly databaseUrl?: string | undefined
  readonly data?: string | undefined
}

const CHECK = 'database'
const LOCKED = 'Stop what has it open, and look again; where that serves an API, pontual top --url looks while it runs.'
const WHICH = 'Name one: --database-url or DATABASE_URL, or --data with the directory of pontual dev.'

/** The database to look at: the directory that is named, the server, or what `pontual dev` keeps here. The `pontual dev` that has it open, where one has; a finding where there is none, or it cannot be opened. */
export async function openPatient(
  { databaseUrl, data }: PatientOptions,
  environment: Environment,
  env: Env,
): Promise<Patient | DevAddress | Finding> {
  const keyRing = environment['PONTUAL_ENCRYPTION_KEYS']?.trim() || null
  try {
    if (data === undefined && databaseUrl) return { env, keyRing, ...(await openServer(databaseUrl, env)) }
    const directory = (data === undefined ? [DEV_DATA, demoData(DEV_DATA)] : [data]).find(isDatabase)
    const dev = directory === undefined ? null : devOn(directory)
    if (dev !== null) return dev
    if (directory !== undefined) return { env, keyRing, ...(await openDirectory(directory)) }
    if (data === undefined) return { check: CHECK, ...warn('No database is named, and so none was looked at.', WHICH) }
    return { check: CHECK, ...fail(`There is no database in ${resolve(data)}.`, WHICH) }
  } catch (error) {
    if (!(error instanceof PontualError)) throw error
    // Nothing is wrong with what somebody works with.
    if (error.code === 'store.locked') return { check: CHECK, ...warn(error.message, LOCKED) }
    return { check: CHECK, ...fail(error.message, 'Is the server up, and are address, user and password right?') }
  }
}

async function openServer(url: string, env: Env): Promise<Pick<Patient, 'driver' | 'findPooling'>> {
  const options = { maxConnections: 1, deadlineMs: 30_000, prepare: false } as const
  const driver = await openPgDriver(url, options, { env, logger: silentLogger })
  return { driver, findPooling: () => findPooling(url) }
}

async function openDirectory(directory: string): Promise<Pick<Patient, 'driver' | 'findPooling'>> {
  const driver: Driver = await openPgliteDriver(pgliteDatabase(directory), silentLogger)
  return { driver, findPooling: null }
}

function isDatabase(directory: string): boolean {
  return existsSync(join(directory, 'PG_VERSION'))
}
