import { describe, expect, it } from 'vitest'
import { systemEnv } from '../../clock.ts'
import { silentLogger } from '../../logger.ts'
import { type PostgresOptions, postgres } from './postgres.ts'

describe('postgres() refuses', () => {
  it.each<[string, unknown, unknown, string]>([
    ['no connection', undefined, {}, 'is DATABASE_URL set?'],
    ['an empty one', '', {}, 'is DATABASE_URL set?'],
    ['what is none', 5, {}, 'postgres() takes a connection string or an object, got 5.'],
    ['an unknown option', 'postgres://host/db', { deadlin: 5 }, 'Did you mean "deadline"?'],
    ['a deadline of nothing', 'postgres://host/db', { deadline: 0 }, 'deadline must be'],
    ['no connections', 'postgres://host/db', { maxConnections: 0 }, 'maxConnections must be'],
    ['a way to prepare that is none', 'postgres://host/db', { prepare: 'always' }, 'prepare must be'],
    ['a migration by halves', 'postgres://host/db', { migrate: 'maybe' }, 'migrate must be'],
  ])('%s', (_what, connection, options, message) => {
    expect(() => postgres(connection as string, options as PostgresOptions)).toThrow(message)
  })
})

describe('a password', () => {
  it.each([
    ['of a server that is away', 'postgres://user:hunter2@127.0.0.1:1/db', 'store.unreachable'],
    ['of a string that cannot be read', 'postgres://user:hunter2#@host:99999/db', 'store.connection_invalid'],
  ])('%s is in no message', async (_what, url, code) => {
    const opening = postgres(url).open({ env: systemEnv, logger: silentLogger })
    const error = await opening.then(
      () => null,
      (reason: unknown) => reason as Error & { details: unknown },
    )
    expect(error).toMatchObject({ code })
    expect(`${error?.message} ${JSON.stringify(error?.details)}`).not.toContain('hunter2')
  })
})
