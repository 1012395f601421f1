import { beforeEach, describe, expect, it } from 'vitest'
import { IdentityWorld } from '../../../test/http/identity/world.ts'
import type { Principal } from '../../access/principal.ts'
import { permissionsOf } from '../../access/profile.ts'
import { addressGroup, type LimitOptions, RequestLimits } from './request-limits.ts'

let world: IdentityWorld
beforeEach(async () => {
  world = await IdentityWorld.open()
})

const limits = (options: LimitOptions) => new RequestLimits(options, { env: world.env })

function person(tenant: string, userId: string): Principal {
  return { tenant, userId, ownerId: null, profile: 'Admin', permissions: permissionsOf('Admin'), source: 'jwt' }
}

describe('requests from one address', () => {
  it('are as many as the limit at once, and then as many as fit into the time', async () => {
    const counted = limits({ perAddress: 60 })
    const arrives = () => counted.arrive({ address: '203.0.113.7' })
    for (let count = 0; count < 60; count += 1) expect((await arrives()).isAllowed).toBe(true)
    expect(await arrives()).toEqual({
      isAllowed: false,
      retryAfterSeconds: 1,
      headers: { 'ratelimit-policy': '"address";q=60;w=60', ratelimit: '"address";r=0;t=1' },
    })
    world.advance(1_000)
    expect((await arrives()).isAllowed).toBe(true)
    expect((await arrives()).isAllowed).toBe(false)
    expect((await counted.arrive({ address: '203.0.113.8' })).isAllowed).toBe(true)
  })

  it('tell how many are left, and when it is as in the beginning', async () => {
    const { headers } = await limits({ perAddress: 60 }).arrive({ address: '203.0.113.7' })
    expect(headers).toEqual({ 'ratelimit-policy': '"address";q=60;w=60', ratelimit: '"address";r=59;t=1' })
  })

  it('are not counted where nobody knows the address', async () => {
    const counted = limits({ perAddress: 1 })
    const verdicts = await Promise.all([1, 2, 3].map(async () => counted.arrive({ address: null })))
    expect(verdicts.map(({ isAllowed }) => isAllowed)).toEqual([true, true, true])
  })

  it('with credentials that do not hold are slowed down, and no others', async () => {
    const counted = limits({ refusals: 2 })
    const refused = () => counted.refused({ address: '203.0.113.7' })
    await refused()
    await refused()
    await expect(refused()).rejects.toMatchObject({ status: 429, code: 'rate_limited' })
    expect((await counted.arrive({ address: '203.0.113.7' })).isAllowed).toBe(true)
  })
})

describe('requests of one tenant', () => {
  it('are counted for each person, and for all of them', async () => {
    const counted = limits({ perUser: 2, perTenant: 3 })
    const asked = []
    for (const userId of ['ana', 'ana', 'ana', 'bia', 'bia']) asked.push(await counted.admit(person('acme', userId)))
    expect(asked.map(({ isAllowed }) => isAllowed)).toEqual([true, true, false, false, false])
    expect(asked.map(({ headers }) => headers['ratelimit-policy']?.split(';')[0])).toEqual([
      '"user"',
      '"user"',
      '"user"',
      '"tenant"',
      '"tenant"',
    ])
    expect((await counted.admit(person('globex', 'ana'))).isAllowed).toBe(true)
  })
})

describe('what counts as one address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
    ['1:2::3:4:5:192.0.2.1', '1:2:0:3::/64'],
  ])('%s is %s', (address, expected) => {
    expect(addressGroup(address)).toBe(expected)
  })
})

it.each([0, -1, 1.5, Number.NaN])('%s is no limit', (perUser) => {
  expect(() => limits({ perUser })).toThrow('limits.perUser must be a whole number of requests a minute')
})
