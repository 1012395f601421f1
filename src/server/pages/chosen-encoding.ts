/** How an answer may be packed, the smallest first. */
const ENCODINGS = ['br', 'gzip'] as const

export type Encoding = (typeof ENCODINGS)[number]

/** The encoding that is taken by whoever asks; null: as it is. What he takes less gladly than another counts as taken. */
export function chosenEncoding(acceptEncoding: string | null): Encoding | null {
  const wishes = new Map((acceptEncoding ?? '').toLowerCase().split(',').map(readWish))
  return ENCODINGS.find((encoding) => wishes.get(encoding) ?? wishes.get('*') ?? false) ?? null
}

function readWish(text: string): [name: string, isTaken: boolean] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim())
  return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))]
}
