import { describe, expect, it } from 'vitest'
import type { CalendarJson } from '../../../src/time/calendars/json.ts'
import type { Bench } from './bench.ts'

const weekend: CalendarJson = { type: 'weekly', weekdays: [0, 6], timeZone: 'UTC' }
const holidays: CalendarJson = { type: 'holiday', dates: ['2026-12-25'], timeZone: 'America/Sao_Paulo', base: weekend }

export function describeCalendars(bench: Bench): void {
  // Calendars are the one thing that a test leaves behind.
  const calendar = (tenant: string, name: string, definition = weekend) => ({ tenant, name, definition })

  describe('put', () => {
    it('creates, and replaces by name', async () => {
      const { calendars } = bench.store
      const tenant = bench.uuid()
      await calendars.put([calendar(tenant, 'br')])
      expect(await calendars.find([{ tenant, name: 'br' }])).toEqual([calendar(tenant, 'br')])
      await calendars.put([calendar(tenant, 'br', holidays)])
      expect(await calendars.list(tenant)).toEqual([calendar(tenant, 'br', holidays)])
    })

    it('of one name given twice, the last is kept', async () => {
      const tenant = bench.uuid()
      await bench.store.calendars.put([calendar(tenant, 'br'), calendar(tenant, 'br', holidays)])
      expect(await bench.store.calendars.list(tenant)).toEqual([calendar(tenant, 'br', holidays)])
    })
  })

  it('find leaves unknown names and other tenants out', async () => {
    const [mine, theirs] = [bench.uuid(), bench.uuid()]
    await bench.store.calendars.put([calendar(mine, 'a'), calendar(mine, 'b', holidays), calendar(theirs, 'c')])
    const found = await bench.store.calendars.find([
      { tenant: mine, name: 'b' },
      { tenant: mine, name: 'c' },
      { tenant: theirs, name: 'c' },
      { tenant: mine, name: 'unknown' },
    ])
    expect(found.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      calendar(mine, 'b', holidays),
      calendar(theirs, 'c'),
    ])
  })

  it('list gives all of a tenant by name, in the order of characters', async () => {
    const [mine, theirs] = [bench.uuid(), bench.uuid()]
    await bench.store.calendars.put([
      ...['b', 'ä', 'B', 'a'].map((name) => calendar(mine, name)),
      calendar(theirs, 'c'),
    ])
    expect((await bench.store.calendars.list(mine)).map(({ name }) => name)).toEqual(['B', 'a', 'b', 'ä'])
  })

  it('remove counts those there were, and spares other tenants', async () => {
    const { calendars } = bench.store
    const [mine, theirs] = [bench.uuid(), bench.uuid()]
    await calendars.put([calendar(mine, 'a'), calendar(mine, 'b'), calendar(theirs, 'a')])
    expect(
      await calendars.remove([
        { tenant: mine, name: 'a' },
        { tenant: mine, name: 'unknown' },
      ]),
    ).toBe(1)
    expect(await calendars.list(mine)).toEqual([calendar(mine, 'b')])
    expect(await calendars.list(theirs)).toEqual([calendar(theirs, 'a')])
  })

  it('empty lists do nothing', async () => {
    const { calendars } = bench.store
    await calendars.put([])
    expect(await calendars.find([])).toEqual([])
    expect(await calendars.remove([])).toBe(0)
    expect(await calendars.list(bench.uuid())).toEqual([])
  })
}
