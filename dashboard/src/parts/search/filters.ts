import { type Piece, piecesOf } from '../../../../src/service/search/pieces.ts'

/** One value of a token in a search: `status:failed,timeout` has two. */
export interface Filter {
  readonly key: string
  readonly value: string
}

export function filtersOf(query: string): Filter[] {
  return piecesOf(query).flatMap((piece) =>
    piece.kind === 'words'
      ? []
      : piece.values.filter((value) => value !== '').map((value) => ({ key: piece.key.toLowerCase(), value })),
  )
}

/** The search without one of its filters. */
export function withoutFilter(query: string, gone: Filter): string {
  const pieces = piecesOf(query).map((piece): Piece => {
    if (piece.kind === 'words' || piece.key.toLowerCase() !== gone.key) return piece
    return { ...piece, values: piece.values.filter((value) => value !== gone.value) }
  })
  return written(pieces.filter((piece) => piece.kind === 'words' || piece.values.length > 0))
}

/** The search with these filters in the place of whatever was said by the keys. */
export function replaceFilters(query: string, keys: readonly string[], filters: readonly Filter[]): string {
  const rest = piecesOf(query).filter((piece) => piece.kind === 'words' || !keys.includes(piece.key.toLowerCase()))
  const added = [...new Set(filters.map(({ key }) => key))].map((key): Piece => {
    return { kind: 'token', key, values: filters.filter((each) => each.key === key).map(({ value }) => value) }
  })
  return written([...rest, ...added])
}

/** Whether a search says by these keys just what the filters say. */
export function saysJust(query: string, keys: readonly string[], filters: readonly Filter[]): boolean {
  const told = (each: readonly Filter[]) => each.map(({ key, value }) => `${key}:${value.toLowerCase()}`).toSorted()
  const said = filtersOf(query).filter(({ key }) => keys.includes(key))
  return told(said).join(' ') === told(filters).join(' ')
}

function written(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => {
      if (piece.kind === 'words') return piece.isQuoted ? `"${piece.text}"` : piece.text
      return `${piece.key}:${piece.values.map(quotedIfNeeded).join(',')}`
    })
    .join(' ')
}

/** A value as it is typed: one with a blank or a comma stands in quotes. */
export function quotedIfNeeded(value: string): string {
  return /[\s,]/u.test(value) && !value.includes('"') ? `"${value}"` : value
}
