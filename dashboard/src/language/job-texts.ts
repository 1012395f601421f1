import { jobs as en } from '../../../src/service/i18n/en.ts'
import { jobs as ptBr } from '../../../src/service/i18n/pt-br/texts.ts'
import { inBoth } from './language.ts'

/** The texts of RF-112, word for word. */
export const jobTexts = inBoth({ 'pt-BR': ptBr, en })
