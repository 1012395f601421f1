import { describe, expect, it } from 'vitest'
import { systemEnv } from '../../clock.ts'
import { LOCALES, type Locale } from '../../time/locale.ts'
import { demoJobs } from './demo-jobs.ts'
import { demoLocale, demoTexts, demoTypes } from './texts.ts'

describe('the language of the demo', () => {
  it.each<[Record<string, string>, Locale]>([
    [{}, 'en'],
    [{ LANG: 'C.UTF-8' }, 'en'],
    [{ LANG: 'en_US.UTF-8' }, 'en'],
    [{ LANG: 'pt_BR.UTF-8' }, 'pt-BR'],
    [{ LANG: 'pt_PT' }, 'pt-BR'],
    [{ LANG: 'pt' }, 'pt-BR'],
    [{ LANG: 'pt-BR' }, 'pt-BR'],
    [{ LANG: 'ptx' }, 'en'],
    [{ LANG: 'en_US.UTF-8', LC_MESSAGES: 'pt_BR.UTF-8' }, 'pt-BR'],
    [{ LANG: 'pt_BR.UTF-8', LC_MESSAGES: 'en_US.UTF-8' }, 'en'],
    [{ LANG: 'pt_BR.UTF-8', LC_MESSAGES: '', LC_ALL: '' }, 'pt-BR'],
    [{ LANG: 'pt_BR.UTF-8', LC_MESSAGES: 'pt_BR.UTF-8', LC_ALL: 'C' }, 'en'],
  ])('for %j is %s', (environment, locale) => {
    expect(demoLocale(environment)).toBe(locale)
  })
})

describe('the texts of the demo', () => {
  const typesIn = (locale: Locale) => demoJobs({ env: systemEnv, stepMs: 0 }, locale).map(({ id }) => id)

  it.each(LOCALES)('name in %s every job type', (locale) => {
    expect(demoTypes(demoTexts(locale))).toEqual(typesIn(locale))
  })

  it('share no job type between languages, so one demo can replace the other', () => {
    expect(typesIn('en').filter((id) => typesIn('pt-BR').includes(id))).toEqual([])
    expect(demoTexts('en').businessDays.name).not.toBe(demoTexts('pt-BR').businessDays.name)
  })

  it('keep the job names of the requirements in Portuguese', () => {
    expect(typesIn('pt-BR')).toEqual(
      expect.arrayContaining(['ImportarFaturas', 'LimparCache', 'SincronizarAzureAD', 'DeletarDadosObsoletos']),
    )
  })
})
