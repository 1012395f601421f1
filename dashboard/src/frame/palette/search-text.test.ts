import { expect, it } from 'vitest'
import { idIn, isNamed, searchOf } from './search-text.ts'

it.each([
  ['closing', '"closing"'],
  ['  daily closing ', '"daily closing"'],
  ['status:failed', 'status:failed'],
  ['Tag:x closing', 'Tag:x closing'],
  ['http://x', '"http://x"'],
  ['note: this', '"note: this"'],
  ['status: ', '"status:"'],
  ['say "hi"', '"say  hi"'],
  ['"', ''],
  ['   ', ''],
])('%j is searched for as %j', (typed, search) => {
  expect(searchOf(typed)).toBe(search)
})

it.each([
  ['01A1E23D-56d7-7000-a890-b139ad1fba36', '01a1e23d-56d7-7000-a890-b139ad1fba36'],
  [' 01a1e23d-56d7-7000-a890-b139ad1fba36\n', '01a1e23d-56d7-7000-a890-b139ad1fba36'],
  ['01a1e23d-56d7-7000-a890', null],
  ['closing', null],
])('the id in %j is %j', (typed, id) => {
  expect(idIn(typed)).toBe(id)
})

it.each([
  ['Visão geral', 'visao', true],
  ['Execuções', 'execuções', true],
  ['Theme: Dark', 'dark theme', true],
  ['Workers', 'wok', false],
  ['Workers', '', true],
])('%j is found by %j: %j', (name, typed, isFound) => {
  expect(isNamed(name, typed)).toBe(isFound)
})
