import { describe, expect, it } from 'vitest'
import { type SearchKey, suggest } from './suggest.ts'

const KEYS: readonly SearchKey[] = [
  {
    key: 'status',
    name: 'Status',
    meaning: 'How it stands',
    values: [
      { value: 'paused', name: 'Pausado' },
      { value: 'failed', name: 'Falhou' },
    ],
  },
  {
    key: 'tag',
    name: 'Etiqueta',
    meaning: 'A tag',
    values: [{ value: 'fim de mês', name: 'fim de mês' }],
    accepts: /./u,
  },
  {
    key: 'after',
    name: 'Depois de',
    meaning: 'Since',
    values: [{ value: '1d', name: '1 dia' }],
    accepts: /^\d+[dhm]$/u,
  },
]

/** The caret stands at the bar. */
function at(marked: string) {
  const caret = marked.indexOf('|')
  const query = marked.replace('|', '')
  const found = suggest(query, caret, KEYS)
  return { ...found, names: found.options.map(({ name }) => name), typed: query.slice(found.from, found.to) }
}

describe('what may be meant', () => {
  it.each([
    ['|', ['status:', 'tag:', 'after:'], ''],
    ['faturas |', ['status:', 'tag:', 'after:'], ''],
    ['st|', ['status:'], 'st'],
    ['etiq|', ['tag:'], 'etiq'],
    ['faturas|', [], 'faturas'],
    ['status:|', ['paused', 'failed'], ''],
    ['status:fal|', ['failed'], 'fal'],
    ['STATUS:pa|', ['paused'], 'pa'],
    ['status:paused,|', ['failed'], ''],
    ['status:paused,fa|', ['failed'], 'fa'],
    ['x status:p| tag:y', ['paused'], 'p'],
    ['tag:"fim de|', ['fim de mês'], '"fim de'],
    ['"two st|', [], '"two st'],
    ['nobody:x|', [], 'x'],
  ])('%s', (marked, names, typed) => {
    expect(at(marked)).toMatchObject({ names, typed })
  })

  it('a value with blanks is put in with quotes', () => {
    expect(at('tag:fi|').options[0]?.text).toBe('"fim de mês" ')
  })
})

describe('what is not asked for yet', () => {
  it.each([
    ['faturas|', false],
    ['status:|', true],
    ['status:fa|', true],
    ['status:Failed|', false],
    ['status:failed,|', true],
    ['after:1|', true],
    ['after:12h|', false],
    ['tag:x|', false],
    ['nobody:x|', false],
  ])('%s: %s', (marked, expected) => {
    expect(at(marked).isUnfinished).toBe(expected)
  })
})
