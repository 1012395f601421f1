import { type Block, blocksOf } from './blocks.ts'

/** What a page and its translation have in common. */
export interface Outline {
  readonly blocks: readonly Pick<Block, 'language' | 'file' | 'options' | 'text'>[]
  /** Their levels, in their order. */
  readonly headings: readonly number[]
  /** The figures of each cell of each row of each table, in the notation of English. */
  readonly tables: readonly (readonly (readonly string[])[])[]
}

export function outlineOf(markdown: string, language: 'en' | 'pt'): Outline {
  const prose = withoutBlocks(markdown)
  return {
    blocks: blocksOf('', markdown).map(({ language: code, file, options, text }) => ({
      language: code,
      file,
      options,
      text,
    })),
    headings: [...prose.matchAll(/^(#+) /gm)].map(([, marks]) => marks!.length),
    tables: [...prose.matchAll(/(?:^\|.*(?:\n|$))+/gm)].map(([table]) =>
      table
        .trim()
        .split('\n')
        .map((row) => cellsOf(row).map((cell) => figuresOf(cell, language).join(' '))),
    ),
  }
}

function withoutBlocks(markdown: string): string {
  return markdown.replaceAll(/^( *)(`{3,}).*\n(?:.*\n)*?\1\2 *$/gm, '')
}

function cellsOf(row: string): string[] {
  return row.replaceAll(/`[^`]*`|\]\([^)]*\)/g, '').split(/(?<!\\)\|/)
}

/** Sorted, as another language has another order of words. */
function figuresOf(cell: string, language: 'en' | 'pt'): string[] {
  const figures = cell.match(/\d+(?:[.,]\d+)*/g) ?? []
  return figures.map((figure) => (language === 'en' ? figure : inEnglish(figure))).sort()
}

/** 1.234,5 is 1,234.5. A version keeps its points: 6.7.0. */
function inEnglish(figure: string): string {
  if (!/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$|^\d+,\d+$/.test(figure)) return figure
  return figure.replaceAll(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'))
}
