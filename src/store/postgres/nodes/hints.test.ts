import { beforeEach, describe, expect, it } from 'vitest'
import { ManualEnv } from '../../../../test/suites/conformance/manual-env.ts'
import { silentLogger } from '../../../logger.ts'
import type { Driver } from '../../driver/driver.ts'
import { defaultSchema } from '../../driver/schema-name.ts'
import type { Hints } from './hints.ts'
import { createHints } from './hints.ts'

let env: ManualEnv
let hints: Hints
let notified: unknown[]
let onMessage: (payload: string) => void

beforeEach(() => {
  env = new ManualEnv(0)
  notified = []
  const driver: Driver = {
    kind: 'postgres',
    schema: defaultSchema,
    query: async (_statement, values = []) => {
      notified.push(values[0])
      return []
    },
    transaction: () => Promise.reject(new Error('not asked')),
    script: async () => {},
    listen: (_channel, listener) => {
      onMessage = listener
      return () => {}
    },
    forTenant: () => driver,
    close: async () => {},
  }
  hints = createHints(driver, { env, logger: silentLogger })
})

describe('a hint', () => {
  it('is due once in 5 ms, each kind by itself', () => {
    expect([hints.due('ready'), hints.due('ready'), hints.due('jobs')]).toEqual(['ready', null, 'jobs'])
    env.advance(5)
    expect(hints.due('ready')).toBe('ready')
  })

  it('that was held back is sent when no other comes', () => {
    hints.due('ready')
    hints.due('ready')
    hints.due('ready')
    env.advance(9)
    expect(notified).toEqual([])
    env.advance(1)
    expect(notified).toEqual(['ready'])
  })

  it('that was held back is not sent when another pays for it', () => {
    hints.due('ready')
    hints.due('ready')
    env.advance(5)
    hints.due('ready')
    env.advance(100)
    expect(notified).toEqual([])
  })

  it('may be sent by itself', () => {
    hints.send('cancelled')
    expect(notified).toEqual(['cancelled'])
  })

  it('that is not known is left out', () => {
    const heard: string[] = []
    hints.listen((hint) => heard.push(hint))
    for (const payload of ['ready', 'of a newer node', 'woken', 'jobs']) onMessage(payload)
    expect(heard).toEqual(['ready', 'woken', 'jobs'])
  })
})
