import { describe, expect, it } from 'vitest'
import { FLAGS, type FlagAnswers, type FlagState, flagState, flagsFrom } from './flag.ts'

const SILENT: FlagAnswers = { provided: null, stored: null, common: null }

describe('a flag', () => {
  const rows: [string, Partial<FlagAnswers>, FlagState][] = [
    ['is on where nobody says anything', {}, { isEnabled: true, source: 'default' }],
    ['is off where it is off for all', { common: false }, { isEnabled: false, source: 'default' }],
    ['follows the tenant before all', { common: false, stored: true }, { isEnabled: true, source: 'stored' }],
    [
      'follows the provider before the tenant',
      { provided: false, stored: true },
      { isEnabled: false, source: 'provider' },
    ],
    ['follows a provider that says on', { provided: true, common: false }, { isEnabled: true, source: 'provider' }],
  ]
  it.each(rows)('%s', (_rule, said, expected) => {
    expect(flagState({ ...SILENT, ...said })).toEqual(expected)
  })
})

it('all flags are told, each by its own answers', () => {
  const flags = flagsFrom((flag) => ({ ...SILENT, stored: flag === 'JOB_NOTIFICATIONS' ? false : null }))
  expect(Object.keys(flags)).toEqual(FLAGS)
  expect(Object.values(flags).map(({ isEnabled }) => isEnabled)).toEqual([true, true, true, false])
})
