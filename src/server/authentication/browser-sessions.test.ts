import { beforeEach, describe, expect, it } from 'vitest'
import {
  ADDRESS,
  ask,
  IdentityWorld,
  outcome,
  SECRET,
  START_SECOND,
  THIS_MACHINE,
  token,
} from '../../../test/http/identity/world.ts'
import { HOUR_MS } from '../../duration.ts'
import type { Identity } from './identity.ts'
import type { SessionOptions } from './identity-options.ts'

const OWN = 'https://jobs.example.com'
const PAGE = { origin: OWN, 'x-pontual-request': '1' }

let world: IdentityWorld
let who: Identity
beforeEach(async () => {
  world = await IdentityWorld.open()
  who = identity()
})

const identity = (sessions: SessionOptions = {}) => world.identity({ jwt: { secret: SECRET }, sessions })

/** Opens a session for whoever the headers show, and gives the cookie as a browser sends it back. */
async function open(
  headers: Record<string, string>,
  by = who,
): Promise<{ cookie: string; setCookie: string; expiresAt: number }> {
  const request = ask(headers, 'POST', '/api/session')
  const principal = await by.authenticate(request, ADDRESS)
  if (principal === null) throw new Error('nobody')
  const { setCookie, expiresAt } = await by.sessions.open(request, principal)
  return { setCookie, expiresAt, cookie: setCookie.split(';', 1)[0] ?? '' }
}

const byToken = async (claims = {}) => ({ authorization: `Bearer ${await token(claims)}` })
const asks = (headers: Record<string, string>, method = 'GET') =>
  outcome(who.authenticate(ask(headers, method), ADDRESS))

describe('a session', () => {
  it('is whoever opened it, in a cookie that no script, no other host and no plain connection gets', async () => {
    const { setCookie, cookie } = await open(await byToken())
    expect(setCookie).toMatch(/^__Host-pontual=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=3600$/)
    expect(await who.authenticate(ask({ cookie }), ADDRESS)).toMatchObject({
      tenant: 'acme',
      userId: 'ana',
      profile: 'Developer',
      source: 'session',
    })
    expect(await asks({ cookie: `theme=dark; ${cookie}; a=b` })).toBe('acme/ana')
  })

  it('is narrow where the token was', async () => {
    const { cookie } = await open(await byToken({ permissions: 'jobs:read' }))
    const principal = await who.authenticate(ask({ cookie }), ADDRESS)
    expect([...(principal?.permissions ?? [])]).toEqual(['jobs:read'])
  })

  it.each<[string, Record<string, unknown>, number | undefined, number]>([
    ['the token, where that ends first', { exp: START_SECOND + 600 }, undefined, 600_000],
    ['twelve hours', { exp: START_SECOND + 86_400 }, undefined, 12 * HOUR_MS],
    ['what is configured', { exp: START_SECOND + 86_400 }, HOUR_MS, HOUR_MS],
  ])('lasts as long as %s', async (_, claims, lifetimeMs, expected) => {
    who = identity({ lifetimeMs })
    const { cookie, expiresAt } = await open(await byToken(claims))
    expect(expiresAt - world.env.now()).toBe(expected)
    world.advance(expected - 1)
    expect(await asks({ cookie })).toBe('acme/ana')
    world.advance(1)
    expect(await asks({ cookie })).toBe('unauthenticated')
  })

  it('is over once it is closed, and the cookie is taken away', async () => {
    const { cookie } = await open(await byToken())
    const request = ask({ cookie, ...PAGE }, 'DELETE', '/api/session')
    expect(await who.sessions.close(request)).toBe('__Host-pontual=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0')
    expect(await asks({ cookie })).toBe('unauthenticated')
  })

  it('gets a new secret whenever it is opened, and the one before is over', async () => {
    const first = await open(await byToken())
    const second = await open({ ...(await byToken()), cookie: first.cookie })
    const third = await open({ cookie: second.cookie, ...PAGE })
    expect(new Set([first.cookie, second.cookie, third.cookie]).size).toBe(3)
    expect(await asks({ cookie: first.cookie })).toBe('unauthenticated')
    expect(await asks({ cookie: second.cookie })).toBe('unauthenticated')
    expect(await asks({ cookie: third.cookie })).toBe('acme/ana')
    expect(third.expiresAt).toBe(first.expiresAt)
  })

  it('never has a secret that somebody else has chosen', async () => {
    const planted = `__Host-pontual=${'p'.repeat(43)}`
    const { cookie } = await open({ ...(await byToken()), cookie: planted })
    expect(cookie).not.toBe(planted)
    expect(await asks({ cookie: planted })).toBe('unauthenticated')
  })

  it('of a key ends with the key', async () => {
    const { text, id } = await world.key()
    const { cookie } = await open({ 'x-api-key': text })
    expect(await who.authenticate(ask({ cookie }), ADDRESS)).toMatchObject({ userId: `key:${id}`, ownerId: 'ana' })
    await world.credentials.revokeKey('acme', id)
    expect(await asks({ cookie })).toBe('unauthenticated')
  })

  it('of development is worth nothing outside of it', async () => {
    const dev = world.identity({ dev: true })
    const request = ask({ host: 'localhost:3000' }, 'POST', '/api/session')
    const principal = await dev.authenticate(request, THIS_MACHINE)
    const { setCookie } = await dev.sessions.open(request, principal!)
    const cookie = setCookie.split(';', 1)[0] ?? ''
    expect(await outcome(dev.authenticate(ask({ cookie }), ADDRESS))).toBe('default/dev')
    expect(await asks({ cookie })).toBe('unauthenticated')
  })

  it.each([
    ['two of them', (cookie: string) => `${cookie}; ${cookie}`, 'nobody'],
    ['one that is cut', (cookie: string) => cookie.slice(0, -1), 'unauthenticated'],
    ['one that is empty', () => '__Host-pontual=', 'unauthenticated'],
    ['one of another name', (cookie: string) => cookie.replace('__Host-', ''), 'nobody'],
  ])('is not found by %s', async (_, change, expected) => {
    const { cookie } = await open(await byToken())
    expect(await asks({ cookie: change(cookie) })).toBe(expected)
  })

  it('does not last a hundred days', () => {
    expect(() => identity({ lifetimeMs: 100 * 24 * HOUR_MS })).toThrow('up to 30 days')
  })
})

describe('what a cookie may change', () => {
  it.each<[string, string, Record<string, string>, string]>([
    ['reads', 'GET', {}, 'acme/ana'],
    ['reads, from another page', 'GET', { origin: 'https://evil.example' }, 'csrf'],
    [
      'reads, from a frame of a sibling host',
      'GET',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      'csrf',
    ],
    ['reads, by a link', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 'acme/ana'],
    ['changes, from our page with the header', 'POST', PAGE, 'acme/ana'],
    ['changes, without the header', 'POST', { origin: OWN }, 'csrf'],
    ['changes, without an origin', 'POST', { 'x-pontual-request': '1' }, 'csrf'],
    ['changes, from another page', 'POST', { ...PAGE, origin: 'https://evil.example' }, 'csrf'],
    ['changes, from a page of a name that begins as ours', 'PUT', { ...PAGE, origin: `${OWN}.evil.example` }, 'csrf'],
    [
      'changes, from a page of a name that ends as ours',
      'PUT',
      { ...PAGE, origin: 'https://evil-jobs.example.com' },
      'csrf',
    ],
    ['changes, from another port', 'DELETE', { ...PAGE, origin: `${OWN}:8443` }, 'csrf'],
    ['changes, over a plain connection', 'DELETE', { ...PAGE, origin: 'http://jobs.example.com' }, 'csrf'],
    ['changes, from a page without an origin', 'DELETE', { ...PAGE, origin: 'null' }, 'csrf'],
    ['changes, as a form does', 'POST', { origin: 'https://evil.example', 'content-type': 'text/plain' }, 'csrf'],
  ])('%s', async (_, method, headers, expected) => {
    const { cookie } = await open(await byToken())
    expect(await asks({ cookie, ...headers }, method)).toBe(expected)
  })

  it('a token beside it needs none of that', async () => {
    const { cookie } = await open(await byToken())
    expect(await asks({ cookie, ...(await byToken({ sub: 'bia' })) }, 'POST')).toBe('acme/bia')
  })

  it('behind a proxy that changes the host, the configured origin rules', async () => {
    who = identity({ publicOrigin: 'https://public.example' })
    const { cookie } = await open(await byToken())
    expect(await asks({ cookie, ...PAGE, origin: 'https://public.example' }, 'POST')).toBe('acme/ana')
    expect(await asks({ cookie, ...PAGE }, 'POST')).toBe('csrf')
  })

  it('nobody is put into a session by another page', async () => {
    await expect(open({ ...(await byToken()), origin: 'https://evil.example' })).rejects.toMatchObject({ code: 'csrf' })
  })

  it.each(['jobs.example.com', 'https://jobs.example.com/', 'null', '*', 'http://jobs.example.com', 'ftp://localhost'])(
    '%s is no origin at which a session is kept',
    (publicOrigin) => {
      expect(() => identity({ publicOrigin })).toThrow('must be an origin of https such as')
    },
  )

  it('on this machine http will do', () => {
    expect(() => identity({ publicOrigin: 'http://localhost:3000' })).not.toThrow()
  })
})
