import { expect, it, vi } from 'vitest'

vi.stubGlobal('navigator', { languages: ['en'] })
const { alertFigure, typedFigure } = await import('./alert-figure.ts')

it.each([
  ['timeoutsFrequent', 0.1, '10%'],
  ['schedulerUnavailable', 30, '30 s'],
  ['auditFull', 2 ** 30, '1 GB'],
  ['auditFull', 1_000_000, '1 MB'],
  ['queueCongested', 100, '100'],
  ['workersSaturated', null, '–'],
] as const)('a figure of %s that is %s is shown as %s', (kind, value, shown) => {
  expect(alertFigure(kind, value)).toBe(shown)
})

it.each([
  ['', null],
  [' ', null],
  ['0,1', 0.1],
  ['0.1', 0.1],
  [' 30 ', 30],
  ['x', Number.NaN],
])('what is typed as "%s" is %s', (text, value) => {
  expect(typedFigure(text)).toEqual(value)
})
