import { inBoth } from '../../language/language.ts'

export const searchTexts = inBoth({
  'pt-BR': {
    help: 'Como buscar',
    clear: 'Limpar a busca',
    suggestions: 'Sugestões',
    filters: 'Filtros',
    remove: (filter: string) => `Remover o filtro ${filter}`,
    intro:
      'O que se digita é buscado no texto. Chaves restringem a busca; todas valem ao mesmo tempo, e várias da mesma chave significam qualquer uma delas.',
    quotes: 'Entre aspas tudo é texto, também o que parece uma chave:',
    keys: 'Chaves',
    key: 'Chave',
    meaning: 'Significado',
    values: 'Exemplos',
    example: 'Exemplo',
  },
  en: {
    help: 'How to search',
    clear: 'Clear the search',
    suggestions: 'Suggestions',
    filters: 'Filters',
    remove: (filter: string) => `Remove the filter ${filter}`,
    intro:
      'What you type is looked for as text. Keys narrow the search down; all of them hold at once, and several of the same key mean any of them.',
    quotes: 'Within quotes everything is text, also what looks like a key:',
    keys: 'Keys',
    key: 'Key',
    meaning: 'Meaning',
    values: 'Examples',
    example: 'Example',
  },
})
