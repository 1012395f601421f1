import { VARIABLES } from '../../src/cli/variables.ts'
import { declarationIn } from './declarations.ts'
import { code, joined, type Language, prose, table } from './markdown.ts'

const HEADER: Readonly<Record<Language, readonly string[]>> = { en: ['variable', ''], pt: ['variável', ''] }

/** The variables of `pontual start`. */
export function variablesTable(language: Language): string {
  const rows = Object.entries(VARIABLES).map(([name, meaning]) => [code(name), prose(meaning)])
  return joined([table(HEADER[language], rows)])
}

/** The type of `pontual.config.ts`. */
export function configDeclaration(): string {
  return joined([`\`\`\`typescript\n${declarationIn('server/define-config.ts', 'Config').text}\n\`\`\``])
}
