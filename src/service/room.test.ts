import { describe, expect, it } from 'vitest'
import { Room } from './room.ts'

describe('room for jobs', () => {
  interface Step {
    readonly now: number
    readonly stored: number
    readonly told: number
    readonly isCounted: boolean
    readonly tenant?: string
  }

  const rows: [string, number, readonly Step[]][] = [
    [
      'is counted once while there is plenty',
      100,
      [
        { now: 0, stored: 10, told: 10, isCounted: true },
        { now: 1, stored: 11, told: 11, isCounted: false },
        { now: 4_999, stored: 12, told: 12, isCounted: false },
      ],
    ],
    [
      'is counted anew after five seconds, since others make jobs as well',
      100,
      [
        { now: 0, stored: 10, told: 10, isCounted: true },
        { now: 5_000, stored: 60, told: 60, isCounted: true },
      ],
    ],
    [
      'is counted every time once most of it is taken',
      10,
      [
        { now: 0, stored: 7, told: 7, isCounted: true },
        { now: 1, stored: 8, told: 8, isCounted: true },
        { now: 2, stored: 9, told: 9, isCounted: true },
        { now: 3, stored: 10, told: 10, isCounted: true },
        { now: 4, stored: 9, told: 9, isCounted: true },
      ],
    ],
    [
      'is every tenant’s own',
      100,
      [
        { now: 0, stored: 10, told: 10, isCounted: true },
        { now: 1, stored: 99, told: 99, isCounted: true, tenant: 'other' },
        { now: 2, stored: 11, told: 11, isCounted: false },
        { now: 3, stored: 100, told: 100, isCounted: true, tenant: 'other' },
      ],
    ],
  ]

  it.each(rows)('%s', async (_name, maximum, steps) => {
    const room = new Room()
    for (const { now, stored, told, isCounted, tenant = 'acme' } of steps) {
      let isAsked = false
      const count = async () => {
        isAsked = true
        return stored
      }
      expect(await room.take({ tenant, maximum, now, count })).toBe(told)
      expect(isAsked).toBe(isCounted)
    }
  })
})
