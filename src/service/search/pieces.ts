/** A part of what was typed into a search: a token such as `status:failed,timeout`, or text. */
export type Piece = Token | Words

interface Token {
  readonly kind: 'token'
  /** As it was typed, without the colon. */
  readonly key: string
  /** What stands behind the colon, with commas between; without quotes. */
  readonly values: readonly string[]
}

interface Words {
  readonly kind: 'words'
  readonly text: string
  readonly isQuoted: boolean
}

const SPACE = /\s+/uy

const KEY = /(\p{L}+):/uy

/** A quote that nobody closes is a character as any other. */
const QUOTED = /"([^"]*)"/uy

const WORD = /\S+/uy

const VALUE = /[^\s,]*/uy

/** Takes a search apart. Whatever was typed has parts; what they mean is for others to say. */
export function piecesOf(query: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  const taken = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(query)
    if (match) at = pattern.lastIndex
    return match
  }
  for (;;) {
    taken(SPACE)
    if (at >= query.length) return pieces
    const key = taken(KEY)
    const quoted = key === null ? taken(QUOTED) : null
    if (key !== null) pieces.push({ kind: 'token', key: key[1] ?? '', values: valuesBehind() })
    else if (quoted !== null) pieces.push({ kind: 'words', text: quoted[1] ?? '', isQuoted: true })
    else pieces.push({ kind: 'words', text: taken(WORD)?.[0] ?? '', isQuoted: false })
  }

  function valuesBehind(): string[] {
    const values: string[] = []
    do values.push(taken(QUOTED)?.[1] ?? taken(VALUE)?.[0] ?? '')
    while (query[at] === ',' && ++at > 0)
    return values
  }
}
