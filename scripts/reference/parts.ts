import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { systemEnv } from '../../src/clock.ts'
import { silentLogger } from '../../src/logger.ts'
import { pglite } from '../../src/pglite.ts'
import { apiDetails, apiPage } from './api.ts'
import { cliPage } from './cli.ts'
import { configDeclaration, variablesTable } from './configuration.ts'
import { errorCodesPage } from './error-codes.ts'
import type { Pages } from './markdown.ts'
import { metricsPage } from './metrics.ts'
import { permissionsPage } from './permissions.ts'
import { restPage } from './rest.ts'
import { type Query, schemaPage } from './schema.ts'

/** Every generated part of a reference page, by its path in `docs/.vitepress/reference`. */
export async function referenceParts(query: Query): Promise<ReadonlyMap<string, string>> {
  const made: Readonly<Record<string, Pages>> = {
    api: apiPage,
    cli: cliPage,
    config: configDeclaration,
    variables: variablesTable,
    'error-codes': errorCodesPage,
    metrics: metricsPage,
    permissions: permissionsPage,
    rest: restPage,
    schema: (language) => schemaPage(language, query),
  }
  const parts = new Map<string, string>()
  for (const [name, make] of Object.entries(made)) {
    parts.set(`en/${name}.md`, await make('en'))
    parts.set(`pt/${name}.md`, await make('pt'))
  }
  for (const [name, text] of apiDetails()) parts.set(`en/api/${name}.md`, text)
  return parts
}

/** Runs a function on a new database that has the tables. */
export async function withEmptyDatabase<T>(use: (query: Query) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'pontual-reference-'))
  try {
    const store = await pglite(folder).open({ env: systemEnv, logger: silentLogger })
    await store.close()
    const database = await PGlite.create(folder)
    try {
      return await use(async (sql) => (await database.query<Record<string, unknown>>(sql)).rows)
    } finally {
      await database.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
