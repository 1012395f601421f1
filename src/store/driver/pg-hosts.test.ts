import { describe, expect, it } from 'vitest'
import type { PgConnection } from './pg-connection.ts'
import { connectionsOf } from './pg-hosts.ts'

type Environment = Record<string, string>

const text = (...texts: string[]) => texts.map((connectionString) => ({ connectionString }))

describe('one connection for each host of', () => {
  it.each<[string, string | PgConnection, Environment, PgConnection[]]>([
    ['one host', 'postgres://u:p@a:1/db', {}, text('postgres://u:p@a:1/db')],
    ['two', 'postgres://a:1,b:2/db', {}, text('postgres:///db?host=a&port=1', 'postgres:///db?host=b&port=2')],
    [
      'user and parameters',
      'postgresql://u:p@a,b:2/db?x=1',
      {},
      text('postgresql://u:p@/db?x=1&host=a', 'postgresql://u:p@/db?x=1&host=b&port=2'),
    ],
    [
      'a comma and an @ in a password',
      'postgres://u:p,@q@a,b/db',
      {},
      text('postgres://u:p,@q@/db?host=a', 'postgres://u:p,@q@/db?host=b'),
    ],
    [
      'addresses of IPv6',
      'postgres://[::1]:1,[::2]/db',
      {},
      text('postgres:///db?host=%3A%3A1&port=1', 'postgres:///db?host=%3A%3A2'),
    ],
    [
      'encoded sockets',
      'postgres://%2Frun%2Fa,b/db',
      {},
      text('postgres:///db?host=%2Frun%2Fa', 'postgres:///db?host=b'),
    ],
    ['no database', 'postgres://u@a,b', {}, text('postgres://u@/?host=a', 'postgres://u@/?host=b')],
    [
      'the mode it needs anyway',
      'postgres://a,b/db?target_session_attrs=read-write',
      {},
      text(
        'postgres:///db?target_session_attrs=read-write&host=a',
        'postgres:///db?target_session_attrs=read-write&host=b',
      ),
    ],
    [
      'the parameter host',
      'postgres://u@/db?host=/run/a,b&port=1,2',
      {},
      text('postgres://u@/db?host=%2Frun%2Fa&port=1', 'postgres://u@/db?host=b&port=2'),
    ],
    [
      'a port for all',
      'postgres:///db?host=a,b&port=1',
      {},
      text('postgres:///db?host=a&port=1', 'postgres:///db?host=b&port=1'),
    ],
    [
      'PGHOST',
      'postgres:///db',
      { PGHOST: 'a,b', PGPORT: '1,2' },
      text('postgres:///db?host=a&port=1', 'postgres:///db?host=b&port=2'),
    ],
    [
      'hosts, and the parameter port',
      'postgres://a,b/db?port=1,2',
      {},
      text('postgres:///db?port=1&host=a', 'postgres:///db?port=2&host=b'),
    ],
    [
      'hosts, and PGPORT',
      'postgres://[::1],b/db',
      { PGPORT: '1,2' },
      text('postgres:///db?host=%3A%3A1&port=1', 'postgres:///db?host=b&port=2'),
    ],
    [
      'the parameter host, before a host',
      'postgres://u:p@c:3/db?host=a,b&x=1',
      {},
      text('postgres://u:p@/db?host=a&x=1&port=3', 'postgres://u:p@/db?host=b&x=1&port=3'),
    ],
    ['PGHOST where a host is named', 'postgres://c/db', { PGHOST: 'a,b' }, text('postgres://c/db')],
    ['a single PGHOST', 'postgres:///db', { PGHOST: 'a' }, text('postgres:///db')],
    ['a socket', '/run/postgresql db', {}, text('/run/postgresql db')],
    ['a socket as a URL', 'socket:/run/postgresql?db=db', {}, text('socket:/run/postgresql?db=db')],
    [
      'options',
      { host: 'a,b', port: 1, user: 'u' },
      {},
      [
        { host: 'a', port: 1, user: 'u' },
        { host: 'b', port: 1, user: 'u' },
      ],
    ],
    [
      'options with ports',
      { host: 'a, b', port: '1,2' },
      {},
      [
        { host: 'a', port: 1 },
        { host: 'b', port: 2 },
      ],
    ],
    ['options of one host', { host: 'a', port: 1 }, {}, [{ host: 'a', port: 1 }]],
    ['no options', {}, { PGHOST: 'a,/run' }, [{ host: 'a' }, { host: '/run' }]],
    ['no options, and one PGHOST', {}, { PGHOST: 'a', PGPORT: '1' }, [{}]],
    [
      'a limit in seconds',
      'postgres://a/db?connect_timeout=3',
      {},
      [{ connectionString: 'postgres://a/db?connect_timeout=3', connectionTimeoutMillis: 3_000 }],
    ],
  ])('%s', (_what, connection, environment, expected) => {
    expect(connectionsOf(connection, environment)).toEqual(expected)
  })
})

describe('no connection is made of', () => {
  it.each<[string, string | PgConnection, Environment, string]>([
    ['an empty host', 'postgres://u:hunter2@a,,b/db', {}, 'The list of hosts "a,,b" has an empty entry.'],
    ['too few ports', { host: 'a,b,c', port: '1,2' }, {}, 'There are 3 hosts ("a,b,c") and 2 ports ("1,2").'],
    ['more ports than hosts', 'postgres:///db?host=a&port=1,2', {}, 'There are 1 hosts'],
    ['a port that is none', { host: 'a,b', port: '1,x' }, {}, 'A port must be a number from 1 to 65535, got "x".'],
    [
      'a standby',
      'postgres://a,b/db?target_session_attrs=standby',
      {},
      'target_session_attrs must be one of read-write, primary, any, got "standby"',
    ],
    ['a standby, by the environment', {}, { PGTARGETSESSIONATTRS: 'read-only' }, 'got "read-only"'],
    ['a standby, by an option', { host: 'a', target_session_attrs: 'prefer-standby' }, {}, 'got "prefer-standby"'],
    [
      'a limit that is none',
      'postgres://a/db?connect_timeout=soon',
      {},
      'connect_timeout must be a number of seconds, got "soon"',
    ],
  ])('%s', (_what, connection, environment, message) => {
    const make = () => connectionsOf(connection, environment)
    expect(make).toThrow(message)
    expect(make).not.toThrow('hunter2')
  })
})
