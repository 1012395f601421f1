import { describe, expect, test } from 'vitest'
import { createDatabase } from '../postgres/database.ts'
import { tortureDurable } from '../torture/durable.ts'

const KILLS = Number(process.env['PONTUAL_PROVE_KILLS'] ?? 400)

describe('durable runs on nodes that are killed', () => {
  test('I13: all end, and no activity whose result is recorded is performed again', async () => {
    const database = await createDatabase()
    const options = { url: database.url, runs: 150, nodes: 4, slots: 30, kills: KILLS, lifeMs: 2_000 }
    const report = await tortureDurable(options)
    await database.drop()
    console.log({ kills: KILLS, ...report })
    expect(report.violations).toEqual([])
    expect(report.interrupted).toBeGreaterThan(10 * KILLS)
  })
})
