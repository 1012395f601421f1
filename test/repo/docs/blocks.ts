/** A block of code on a page. */
export interface Block {
  readonly page: string
  /** The line of its first line of code. */
  readonly line: number
  readonly language: string
  /** The file that it shows: ```ts [jobs.ts]. */
  readonly file: string | null
  /** What else stands behind the language, as name="value": skip, until, exit. */
  readonly options: Readonly<Record<string, string>>
  readonly text: string
}

const FENCE = /^(?<indent> *)(?<fence>`{3,})(?<language>[\w-]*)(?<info>.*)\n(?<text>(?:.*\n)*?)\k<indent>\k<fence> *$/gm

/** All blocks of a page, in their order. */
export function blocksOf(page: string, markdown: string): Block[] {
  return [...markdown.matchAll(FENCE)].map((match) => {
    const { indent = '', language = '', info = '', text = '' } = match.groups ?? {}
    const options = [...info.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]): [string, string] => [name!, value!])
    return {
      page,
      line: markdown.slice(0, match.index).split('\n').length + 1,
      language,
      file: /\[(.+)\]/.exec(info)?.[1] ?? null,
      options: Object.fromEntries(options),
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }
  })
}
