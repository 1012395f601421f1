import { describe, expect, it } from 'vitest'
import { askedLanguage, languageOf } from './accept-language.ts'

describe('the language of an answer', () => {
  it.each([
    [null, 'en'],
    ['', 'en'],
    ['en', 'en'],
    ['en-US,en;q=0.9', 'en'],
    ['pt-BR', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['PT-br', 'pt-BR'],
    ['pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7', 'pt-BR'],
    ['en;q=0.7, pt-BR;q=0.8', 'pt-BR'],
    ['en;q=0.8, pt-BR;q=0.8', 'en'],
    ['pt;q=0.8, en;q=0.8', 'pt-BR'],
    ['fr, de;q=0.9, pt;q=0.1', 'pt-BR'],
    ['fr, de', 'en'],
    ['*', 'en'],
    ['fr, *;q=0.5', 'en'],
    ['*, pt;q=0.5', 'en'],
    ['en;q=0, *', 'pt-BR'],
    ['en;q=0, pt;q=0, *', 'en'],
    ['pt;q=0', 'en'],
    ['pt;q=0.000', 'en'],
    ['pt ; q=1.000', 'pt-BR'],
    ['pt;q=2', 'en'],
    ['pt;q=NaN', 'en'],
    ['pt;q=', 'en'],
    ['ptx', 'en'],
    ['__proto__, constructor, toString', 'en'],
    [',,;;=,q=1', 'en'],
    [`${'x,'.repeat(8_000)}pt`, 'pt-BR'],
  ])('for %j is %s', (header, language) => {
    expect(languageOf(header)).toBe(language)
  })

  it.each([
    [null, null],
    ['fr', null],
    ['pt;q=0', null],
    ['pt-PT', 'pt-BR'],
    ['*', null],
    ['fr, *;q=0.5, pt;q=0.1', null],
  ])('that %j asks for is %s', (header, language) => {
    expect(askedLanguage(header)).toBe(language)
  })
})
