import fc from 'fast-check'

/** Texts that have broken somebody's parser, query, log or page. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\udc00\ud800',
  '\u202e\u2066',
  '\u200b\ufeff',
  '\u0130\u0131\u017f',
  '١٢٣',
  '１２',
  '\u2028',
  '\r\n',
  '\u001b[2J',
  '-0',
  'NaN',
  'Infinity',
  '1e400',
  '0x10',
  '9007199254740993',
  '99999999999999999999',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '%00',
  '%',
  "' OR 1=1--",
  '=cmd()',
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  'Etc/GMT+14',
  '../../etc/passwd',
]

/** Text of any kind: plain, of all Unicode, with halves of characters, hostile. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(...HOSTILE_TEXTS),
)

const longText = fc
  .tuple(fc.string({ minLength: 1, maxLength: 4 }), fc.integer({ min: 10, max: 20_000 }))
  .map(([piece, times]) => piece.repeat(times))

/** The same, and now and then long. */
export const anyTextOrLong: fc.Arbitrary<string> = fc.oneof({ weight: 20, arbitrary: anyText }, longText)

/** Text as a header can carry it. */
export const headerText: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ unit: 'grapheme-ascii' }),
    fc.array(fc.integer({ min: 0x20, max: 0xff }), { maxLength: 30 }).map((units) => String.fromCharCode(...units)),
    longText.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '-')),
  )
  // No server takes longer ones.
  .map((text) => text.replaceAll('\u007f', '').slice(0, 16_000))

/** What was done to a text, at a place that is a part of its length. */
interface Damage {
  readonly kind: 'delete' | 'insert' | 'replace' | 'repeat' | 'swap' | 'cut' | 'case' | 'join'
  readonly at: number
  readonly length: number
  readonly text: string
}

const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom('delete', 'insert', 'replace', 'repeat', 'swap', 'cut', 'case', 'join'),
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  length: fc.integer({ min: 1, max: 4 }),
  text: fc.oneof(fc.string({ minLength: 1, maxLength: 3 }), fc.constantFrom(...HOSTILE_TEXTS)),
})

/** A text with so much damage done to it as a hand, a network or somebody who means harm would do. */
export function damaged(texts: fc.Arbitrary<string>, tokens: readonly string[] = []): fc.Arbitrary<string> {
  const withTokens =
    tokens.length === 0
      ? damage
      : fc.tuple(damage, fc.constantFrom(...tokens)).map(([each, text]) => ({ ...each, text }))
  const damages = fc.array(fc.oneof(damage, withTokens), { minLength: 1, maxLength: 4 })
  return fc.tuple(texts, damages).map(([text, all]) => all.reduce(withDamage, text))
}

function withDamage(text: string, { kind, at, length, text: other }: Damage): string {
  const place = Math.floor(at * (text.length + 1))
  const [before, chosen, after] = [text.slice(0, place), text.slice(place, place + length), text.slice(place + length)]
  switch (kind) {
    case 'delete':
      return before + after
    case 'insert':
      return before + other + chosen + after
    case 'replace':
      return before + other + after
    case 'repeat':
      return before + chosen.repeat(length + 1) + after
    case 'swap':
      return after + chosen + before
    case 'cut':
      return before
    case 'case':
      return before + chosen.toUpperCase() + after.toLowerCase()
    case 'join':
      return `${text}${other}${text}`
  }
}
