export type Language = 'en' | 'pt'

/** A text in both languages. */
export type Words = Readonly<Record<Language, string>>

/** A generated page in both languages. */
export type Pages = (language: Language) => string | Promise<string>

/** A table; what stands in cells cannot break it. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(header), `|${header.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

function cell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')
}

export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

/** Prose that is shown as it is: nothing in it is taken for HTML or for a template. */
export function prose(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;')))
    .join('')
}

/** Sections with an empty line between them. */
export function joined(sections: readonly string[]): string {
  return `${sections.join('\n\n')}\n`
}
