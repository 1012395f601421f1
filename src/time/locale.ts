/** The languages Pontual speaks. */
export type Locale = 'en' | 'pt-BR'
