import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Env, systemEnv } from '../../clock.ts'
import type { Environment } from '../start-settings.ts'
import { type ConnectOptions, connect } from './connect.ts'
import { overHttp } from './over-http.ts'

const NOWHERE = join(tmpdir(), 'pontual-nowhere')

describe('where to ask', () => {
  it.each<[ConnectOptions, Environment, string]>([
    [{ url: 'http://a:1' }, { PONTUAL_URL: 'http://b:2', DATABASE_URL: 'postgres://c' }, 'http://a:1'],
    [{}, { PONTUAL_URL: 'http://b:2', DATABASE_URL: 'postgres://c' }, 'http://b:2'],
    [{}, { PONTUAL_URL: ' https://b.example/ops/ ' }, 'https://b.example/ops'],
    [{ url: 'http://a:1/jobs/' }, {}, 'http://a:1'],
    [{ url: 'http://a:1/ops/api/jobs' }, {}, 'http://a:1/ops'],
  ])('%j with %j is %s', async (options, environment, place) => {
    expect(await connect(options, environment)).toMatchObject({ place, isDirect: false })
  })

  it.each<[ConnectOptions, Environment, string]>([
    [{ url: 'http://a', databaseUrl: 'postgres://b' }, {}, 'Give either --url or --database-url'],
    [{ url: 'http://a', tenant: 'acme' }, {}, '--tenant goes with a database'],
    [{ url: 'a' }, {}, 'The address of a service is one such as http://127.0.0.1:3000, got "a".'],
    [{ url: 'file:///etc/passwd' }, {}, 'The address of a service is one such as'],
    [{ url: 'http://ana:secret@a' }, {}, 'must not hold a password'],
    [{ data: NOWHERE }, {}, 'name one with --url or PONTUAL_URL, or a database with --database-url or DATABASE_URL'],
    [{ data: NOWHERE }, { PONTUAL_URL: ' ', DATABASE_URL: '' }, 'There is no service to ask'],
  ])('%j with %j is refused', async (options, environment, message) => {
    await expect(connect(options, environment)).rejects.toThrow(message)
  })

  it('says what to do where nobody answers', async () => {
    const connection = await connect({ url: 'http://127.0.0.1:9' }, {})
    await expect(connection.ask('GET', '')).rejects.toThrow('No service answers at http://127.0.0.1:9 (')
  })
})

describe('one that is about to listen', () => {
  /** A port on which nobody listens, and a server that could. */
  async function quiet() {
    const server = createServer((_request, response) => response.end('{"items":[]}'))
    const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    await listen(0)
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    return { server, port, url: `http://127.0.0.1:${port}` }
  }

  it('is waited for', async () => {
    const { server, port, url } = await quiet()
    const isStarting = () => {
      if (!server.listening) server.listen(port, '127.0.0.1')
      return true
    }
    expect(await overHttp({ url, credentials: {}, isStarting }).ask('GET', '')).toEqual({ items: [] })
    server.close()
  })

  it('is given up at last, with the reason', async () => {
    const { url } = await quiet()
    let now = 0
    const env: Env = {
      ...systemEnv,
      monotonic: () => now,
      after: (ms, call) => {
        if (ms < 1_000) now += 5_000
        return systemEnv.after(ms < 1_000 ? 0 : ms, call)
      },
    }
    const asking = overHttp({ url, credentials: {}, env, isStarting: () => true }).ask('GET', '')
    await expect(asking).rejects.toMatchObject({ code: 'client.starting' })
  })
})
