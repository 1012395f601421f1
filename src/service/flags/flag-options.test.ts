import { OpenFeature } from '@openfeature/server-sdk'
import { expect, it } from 'vitest'
import { type FlagOptions, flagRules } from './flag-options.ts'

it('nobody is asked about flags, and no default is put, unless it is said', () => {
  expect(flagRules()).toEqual({ client: null, everyMs: 5_000, defaults: null })
})

it('takes the client of OpenFeature', () => {
  const client = OpenFeature.getClient()
  expect(flagRules({ client, every: '2s' })).toEqual({ client, everyMs: 2_000, defaults: null })
})

const refused: [string, unknown, string][] = [
  ['an option that there is not', { provider: {} }, 'provider'],
  ['a client that answers nothing', { client: {} }, 'getBooleanValue'],
  ['a flag that there is not', { defaults: { JOBS_FLYING: true } }, 'JOBS_FLYING'],
  ['a flag that is neither on nor off', { defaults: { JOBS_SCHEDULING: 'off' } }, 'JOBS_SCHEDULING'],
  ['a time that is none', { every: 'often' }, 'often'],
]
it.each(refused)('refuses %s', (_case, options, named) => {
  expect(() => flagRules(options as FlagOptions)).toThrow(named)
})
