import { expect, it, vi } from 'vitest'
import { createApp } from '../../../src/server/app.ts'
import type { ServiceApi } from '../../../src/service/api.ts'
import { exchange, statusesIn } from '../api/raw-http.ts'
import { ADMIN, principalOf } from '../api/world.ts'
import { HOSTS } from './hosts.ts'

const MESSAGE = 'relation "secret_table" does not exist'

// Others put a Request and a Response of their own in the place of Node's, and so does whoever serves.
it.each(['node:http', 'Express', 'Fastify'])(
  'in %s an answer that fails on its way is cut off, so that nobody takes it for the whole',
  async (name) => {
    const list: ServiceApi['audit']['list'] = async (_principal, { cursor }) => {
      if (cursor !== undefined) throw new Error(MESSAGE)
      return { items: [], nextCursor: 'more' }
    }
    const service = { audit: { list } } as unknown as ServiceApi
    const host = await HOSTS[name]!(createApp({ service, authenticate: async () => principalOf(ADMIN) }), '')
    const request = 'GET /api/jobs/audit-log/export HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'
    // The adapter for Node reports the error on the console.
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
    const received = await exchange(host.url, request)
    await host.close()
    expect(reported.mock.calls).toEqual([[expect.objectContaining({ message: MESSAGE })]])
    reported.mockRestore()
    expect(statusesIn(received)).toEqual([200])
    expect(received).not.toContain('secret_table')
    expect(received).not.toMatch(/content-length/i)
    expect(received).not.toMatch(/\r\n0\r\n\r\n$/)
  },
)
