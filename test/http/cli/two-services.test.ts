import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pontual } from '../../../src/pontual.ts'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { PONTUAL, RunningProgram } from './command.ts'
import { DevProject } from './dev-project.ts'

/** Starting processes takes a while on a busy machine. */
const LIMIT = { timeout: 90_000 }

const moduleOf = (...ids: readonly string[]) =>
  `import { job } from 'pontual'\nimport { cron } from 'pontual/time'\n${ids
    .map((id) => `export const ${id} = job('${id}', { schedule: { trigger: cron('0 3 * * *') }, run: () => {} })`)
    .join('\n')}\n`

describe.skipIf(isPostgresSkipped())('pontual start, twice on one database', () => {
  let database: TestDatabase
  let project: DevProject
  beforeAll(async () => {
    database = await createDatabase()
    project = await DevProject.open({
      'invoice.mjs': moduleOf('invoice'),
      'parcel.mjs': moduleOf('parcel', 'returns'),
      'parcel-2.mjs': moduleOf('parcel'),
    })
  })
  afterAll(async () => {
    await database?.drop()
    await project[Symbol.asyncDispose]()
  })

  const start = async (file: string) => {
    const environment = {
      DATABASE_URL: database.url,
      PONTUAL_JWT_SECRET: 'a secret of this test that is long enough to be one',
      PONTUAL_PORT: '0',
      PONTUAL_LOG: 'warn',
      PONTUAL_SHUTDOWN_DELAY: '0s',
    }
    const program = new RunningProgram([PONTUAL, 'start', '--jobs', file], environment, project.directory)
    await program.until(/listens on/)
    return program
  }
  const statuses = async () => {
    await using app = pontual({ store: postgres(database.url), logger: 'silent' })
    const own = (await app.jobs()).filter(({ name }) => !name.startsWith('pontual.'))
    return Object.fromEntries(own.map(({ name, status }) => [name, status]))
  }

  it('leaves the jobs of the other service alone, and disables its own that a deploy removes', LIMIT, async () => {
    await using billing = await start('invoice.mjs')
    await using shipping = await start('parcel.mjs')
    expect(await statuses()).toEqual({ invoice: 'ACTIVE', parcel: 'ACTIVE', returns: 'ACTIVE' })
    await shipping.untilNoted(/PONTUAL_APPLICATION/)

    await using next = await start('parcel-2.mjs')
    expect(await statuses()).toEqual({ invoice: 'ACTIVE', parcel: 'ACTIVE', returns: 'ACTIVE' })
    expect(await shipping.stop()).toMatchObject({ code: 0 })
    await expect
      .poll(statuses, { timeout: 30_000, interval: 200 })
      .toEqual({ invoice: 'ACTIVE', parcel: 'ACTIVE', returns: 'DISABLED' })
    await next.untilNoted(/returns/)
    expect(await billing.stop()).toMatchObject({ code: 0 })
  })
})
