/** A line of two texts laid over each other. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** What a diff shows: a line, or how many lines that are the same were left out. */
export type ShownLine = DiffLine | { readonly kind: 'folded'; readonly count: number }

/** A field that is not what it was; undefined: it was not there, or is not any more. */
export interface FieldChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** Above this many comparisons a page would stand still: what differs is then shown whole. */
const MOST_COMPARISONS = 1_000_000
const CONTEXT = 3

/** Data as lines, with the keys in order: the same data is the same text, however it was written. */
export function jsonLines(value: unknown): string[] {
  if (value === undefined) return []
  return JSON.stringify(inOrder(value), null, 2).split('\n')
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, inOrder(each)]))
}

export function isSameData(one: unknown, other: unknown): boolean {
  return jsonLines(one).join('\n') === jsonLines(other).join('\n')
}

/** Which fields of two objects differ, in the order in which they first occur. */
export function diffFields(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => !isSameData(before[field], after[field]))
    .map((field) => ({ field, before: before[field], after: after[field] }))
}

/** The fewest lines to take out and put in that make the second text of the first. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
  return [
    ...linesOf('same', before.slice(0, start)),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...linesOf('same', before.slice(before.length - end)),
  ]
}

function linesOf(kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }))
}

function diffMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  if (before.length === 0 || after.length === 0 || before.length * after.length > MOST_COMPARISONS) {
    return [...linesOf('removed', before), ...linesOf('added', after)]
  }
  const common = commonLengths(before, after)
  const width = after.length + 1
  const lines: DiffLine[] = []
  let [left, right] = [0, 0]
  while (left < before.length || right < after.length) {
    const [old, young] = [before[left], after[right]]
    if (old !== undefined && old === young) {
      lines.push({ kind: 'same', text: old })
      left += 1
      right += 1
    } else if (
      old !== undefined &&
      (young === undefined || (common[(left + 1) * width + right] ?? 0) >= (common[left * width + right + 1] ?? 0))
    ) {
      lines.push({ kind: 'removed', text: old })
      left += 1
    } else {
      lines.push({ kind: 'added', text: young ?? '' })
      right += 1
    }
  }
  return lines
}

/** How many lines the ends of two texts have in common, from each pair of lines on. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1
  const lengths = new Uint32Array((before.length + 1) * width)
  for (let left = before.length - 1; left >= 0; left -= 1) {
    for (let right = after.length - 1; right >= 0; right -= 1) {
      const at = left * width + right
      lengths[at] =
        before[left] === after[right]
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0)
    }
  }
  return lengths
}

/** Leaves out what is the same and far from what is not. */
export function foldLines(lines: readonly DiffLine[], context = CONTEXT): ShownLine[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'same'),
  )
  const shown: ShownLine[] = []
  lines.forEach((line, at) => {
    const last = shown.at(-1)
    if (isNear[at] === true) shown.push(line)
    else if (last?.kind === 'folded') shown[shown.length - 1] = { kind: 'folded', count: last.count + 1 }
    else shown.push({ kind: 'folded', count: 1 })
  })
  return shown
}
