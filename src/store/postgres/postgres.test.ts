import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { systemEnv } from '../../clock.ts'
import { silentLogger } from '../../logger.ts'
import { type PostgresOptions, postgres } from './postgres.ts'

describe('postgres() refuses', () => {
  it.each<[string, unknown, unknown, string]>([
    ['no connection', undefined, {}, 'is DATABASE_URL set?'],
    ['an empty one', '', {}, 'is DATABASE_URL set?'],
    ['what is none', 5, {}, 'postgres() takes a connection string or an object, got 5.'],
    ['the name of a host', 'localhost', {}, 'got "localhost". It takes postgres://'],
    ['the URL of something else', 'mysql://user:hunter2@host/db', {}, 'got "mysql://…". It takes postgres://'],
    ['nonsense', 'nonsense', {}, 'got "nonsense". It takes postgres://'],
    ['a URL without its beginning', 'user:hunter2@host/db', {}, 'got "user…". It takes postgres://'],
    ['settings in words', 'host=localhost password=hunter2', {}, 'got "host…". It takes postgres://'],
    ['nonsense within an object', { connectionString: 'nonsense' }, {}, 'got "nonsense". It takes postgres://'],
    ['an unknown option', 'postgres://host/db', { deadlin: 5 }, 'Did you mean "deadline"?'],
    ['a deadline of nothing', 'postgres://host/db', { deadline: 0 }, 'deadline must be'],
    ['no connections', 'postgres://host/db', { maxConnections: 0 }, 'maxConnections must be'],
    ['a way to prepare that is none', 'postgres://host/db', { prepare: 'always' }, 'prepare must be'],
    ['a schema that needs quotes', 'postgres://host/db', { schema: 'My Jobs' }, 'schema must be'],
    ['a migration by halves', 'postgres://host/db', { migrate: 'maybe' }, 'migrate must be'],
  ])('%s', (_what, connection, options, message) => {
    expect(() => postgres(connection as string, options as PostgresOptions)).toThrow(message)
  })
})

describe('postgres() takes', () => {
  it.each([
    'postgres://user@host/db',
    'postgresql://user@host:5432/db?sslmode=require',
    'POSTGRES://host/db',
    '/var/run/postgresql db',
    'socket:/var/run/postgresql?db=db',
  ])('%s', (connection) => {
    expect(postgres(connection).kind).toBe('postgres')
    expect(postgres({ connectionString: connection }).kind).toBe('postgres')
  })
})

describe('a server that wants a password', () => {
  it('says so where none was given', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      // Any startup is answered with SCRAM-SHA-256, and what the client sends to that with a first message.
      socket.once('data', () => {
        socket.write(message('R', 10, 'SCRAM-SHA-256\0\0'))
        socket.once('data', () => socket.write(message('R', 11, 'r=x,s=eA==,i=4096')))
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const opening = postgres(`postgres://user@127.0.0.1:${port}/db`).open({ env: systemEnv, logger: silentLogger })
    const refused = await opening.catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'store.refused' })
    expect(String(refused)).toContain('wants a password, and none was given')
    server.close()
  })
})

/** An authentication message of the server. */
function message(type: string, kind: number, text: string): Buffer {
  const head = Buffer.alloc(9)
  head.write(type)
  head.writeInt32BE(8 + text.length, 1)
  head.writeInt32BE(kind, 5)
  return Buffer.concat([head, Buffer.from(text)])
}

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
