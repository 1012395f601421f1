import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openAnswering } from '../../../test/http/service/answering.ts'
import { openStage, type Stage } from '../../../test/http/service/stage.ts'
import { type Logger, loggerTo } from '../../logger.ts'
import { memory } from '../../store/memory/memory.ts'
import { DeadMansPing, type PingOptions, pingRules } from './dead-mans-ping.ts'

const closing: Server[] = []
afterEach(() => {
  for (const server of closing.splice(0)) server.close()
})

/** Somebody outside who is pinged. */
async function receiver(status: () => number = () => 200) {
  const asked: string[] = []
  const waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.statusCode = status()
    response.end(() => {
      for (const resolve of waiting.splice(0)) resolve()
    })
  })
  closing.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ping/secret`
  const arrived = () => new Promise<void>((resolve) => waiting.push(resolve))
  return { url, asked, arrived }
}

async function openPinging(options: PingOptions, logger?: Logger): Promise<{ stage: Stage; ping: DeadMansPing }> {
  const stage = await openStage({ tenant: 'acme', ...(logger && { logger }) })
  const rules = pingRules(options)
  if (rules === null) throw new Error('There is nothing to ping.')
  const opened = await stage.test.app.opened()
  return { stage, ping: new DeadMansPing(opened, rules) }
}

describe('the ping outside', () => {
  it('comes again and again while a node lives', async () => {
    const outside = await receiver()
    const { stage, ping } = await openPinging({ url: outside.url, every: '30s' })
    const first = outside.arrived()
    ping.start()
    await first
    const second = outside.arrived()
    await stage.test.advance('30s')
    await second
    expect(outside.asked).toEqual(['GET /ping/secret', 'GET /ping/secret'])
    await ping.stop()
    await stage.test.stop()
  })

  it('does not come while no node lives', async () => {
    const outside = await receiver()
    const store = memory()
    await using answering = await openAnswering(store, { deadMansPing: { url: outside.url, every: '30s' } })
    for (let n = 0; n < 3; n += 1) await answering.advance(30_000)
    expect(outside.asked).toEqual([])
    const first = outside.arrived()
    await using _worker = await openStage({ store })
    await answering.advance(30_000)
    await first
    expect(outside.asked).toEqual(['GET /ping/secret'])
  })

  it.each([
    ['refuses', () => 500],
    ['is not there', null],
  ] as const)('is told once where the other side %s, without its path', async (_case, status) => {
    const lines: string[] = []
    const outside = await receiver(status ?? undefined)
    const url = status === null ? 'http://127.0.0.1:1/ping/secret' : outside.url
    const told: (() => void)[] = []
    const logger = loggerTo((level, message, facts) => {
      if (!message.includes('ping')) return
      lines.push(`${level} ${message} ${JSON.stringify(facts)}`)
      for (const resolve of told.splice(0)) resolve()
    })
    const { stage, ping } = await openPinging({ url, every: '1s' }, logger)
    const first = new Promise<void>((resolve) => told.push(resolve))
    ping.start()
    await first
    await stage.test.advance('1s')
    await ping.stop()
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^warn The ping outside does not arrive/)
    expect(lines[0]).not.toContain('secret')
    await stage.test.stop()
  })

  const refused: [string, PingOptions][] = [
    ['no URL', { url: 'example.com' }],
    ['another protocol', { url: 'ftp://example.com/' }],
    ['a password', { url: 'https://user:secret@example.com/' }],
    ['several times a second', { url: 'https://example.com/', every: 10 }],
    ['what it does not know', { url: 'https://example.com/', each: '1m' } as PingOptions],
  ]
  it.each(refused)('refuses %s', (_what, options) => {
    expect(() => pingRules(options)).toThrow()
  })

  it.each(['https://hc.example.com/x', 'http://localhost:8080/', 'http://10.0.0.7/', 'http://[::1]:9/'])(
    'may go to %s',
    (url) => {
      expect(pingRules({ url })?.everyMs).toBe(60_000)
    },
  )
})
