import { number } from '../../language/format.ts'
import { inBoth } from '../../language/language.ts'
import type { Finding } from './check.ts'

type Problems = Readonly<Record<Finding['code'], (bound: string) => string>>

interface Texts {
  readonly views: string
  readonly form: string
  readonly json: string
  readonly brokenJson: (error: string) => string
  readonly fixFirst: string
  readonly jsonHint: string
  readonly none: string
  readonly yes: string
  readonly no: string
  readonly utc: string
  readonly byDefault: (value: string) => string
  readonly add: string
  readonly addNamed: (name: string) => string
  readonly remove: (name: string) => string
  readonly item: (name: string, number: number) => string
  readonly unnamed: (names: string) => string
  readonly problems: Problems
}

export const schemaFormTexts = inBoth<Texts>({
  'pt-BR': {
    views: 'Como editar',
    form: 'Formulário',
    json: 'JSON',
    brokenJson: (error) => `Não é JSON válido: ${error}`,
    fixFirst: 'Corrija o JSON antes de voltar ao formulário.',
    jsonHint: 'Em JSON; vazio significa nenhum valor.',
    none: '–',
    yes: 'Sim',
    no: 'Não',
    utc: 'Em UTC',
    byDefault: (value) => `Padrão: ${value}`,
    add: 'Adicionar',
    addNamed: (name) => `Adicionar ${name}`,
    remove: (name) => `Remover ${name}`,
    item: (name, n) => `${name} ${n}`,
    unnamed: (names) => `Também há ${names}; edite na aba JSON.`,
    problems: {
      required: () => 'Campo obrigatório',
      type: () => 'O valor é de outro tipo; corrija na aba JSON',
      integer: () => 'Informe um número inteiro',
      minimum: (bound) => `O mínimo é ${bound}`,
      maximum: (bound) => `O máximo é ${bound}`,
      above: (bound) => `Deve ser maior que ${bound}`,
      below: (bound) => `Deve ser menor que ${bound}`,
      minLength: (bound) => `Use pelo menos ${bound} caracteres`,
      maxLength: (bound) => `Use no máximo ${bound} caracteres`,
      pattern: () => 'O formato não é o esperado',
      choice: () => 'Escolha um dos valores',
      minItems: (bound) => `Informe pelo menos ${bound}`,
      maxItems: (bound) => `Informe no máximo ${bound}`,
    },
  },
  en: {
    views: 'How to edit',
    form: 'Form',
    json: 'JSON',
    brokenJson: (error) => `This is not valid JSON: ${error}`,
    fixFirst: 'Correct the JSON before you go back to the form.',
    jsonHint: 'As JSON; empty means no value.',
    none: '–',
    yes: 'Yes',
    no: 'No',
    utc: 'In UTC',
    byDefault: (value) => `Default: ${value}`,
    add: 'Add',
    addNamed: (name) => `Add ${name}`,
    remove: (name) => `Remove ${name}`,
    item: (name, n) => `${name} ${n}`,
    unnamed: (names) => `There is also ${names}; edit it on the JSON tab.`,
    problems: {
      required: () => 'This is required',
      type: () => 'The value is of another kind; correct it on the JSON tab',
      integer: () => 'Enter a whole number',
      minimum: (bound) => `The least is ${bound}`,
      maximum: (bound) => `The most is ${bound}`,
      above: (bound) => `It must be more than ${bound}`,
      below: (bound) => `It must be less than ${bound}`,
      minLength: (bound) => `Use at least ${bound} characters`,
      maxLength: (bound) => `Use at most ${bound} characters`,
      pattern: () => 'It does not have the expected form',
      choice: () => 'Choose one of the values',
      minItems: (bound) => `Enter at least ${bound}`,
      maxItems: (bound) => `Enter at most ${bound}`,
    },
  },
})

/** What was found, in the language of the page. */
export function sayFinding({ code, bound }: Finding): string {
  return schemaFormTexts.value.problems[code](bound === undefined ? '' : number(bound, 6))
}
