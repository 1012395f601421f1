/** A family as it was read. */
export interface ReadFamily {
  readonly type: string
  readonly help: string
  readonly samples: readonly ReadSample[]
}

interface ReadSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const HELP = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) ([^\n]*)$/
const TYPE = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (gauge|counter|histogram)$/
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{([^\n]*)\})? (\S+)$/
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(,|$)/
const NUMBER = /^(?:[+-]?Inf|NaN|[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/

/** Reads text format 0.0.4 and takes nothing that it does not allow: order, escapes, series that are there twice, buckets that do not add up. */
export function readPrometheus(text: string): ReadonlyMap<string, ReadFamily> {
  if (text !== '' && !text.endsWith('\n')) throw new Error('The last line has no end.')
  const families = new Map<string, ReadFamily & { samples: ReadSample[] }>()
  const seen = new Set<string>()
  let open: string | null = null
  let help: [string, string] | null = null
  for (const line of text.split('\n').slice(0, -1)) {
    const [, helped, words = ''] = HELP.exec(line) ?? []
    if (helped !== undefined) {
      if (families.has(helped)) throw new Error(`${helped} is there twice.`)
      if (/\\(?![\\n])/.test(words.replaceAll('\\\\', ''))) throw new Error(`Escape in: ${line}`)
      help = [helped, words]
      continue
    }
    const [, typed, type = ''] = TYPE.exec(line) ?? []
    if (typed !== undefined) {
      if (help?.[0] !== typed) throw new Error(`${typed} has no help right before its type.`)
      families.set(typed, { type, help: help[1], samples: [] })
      open = typed
      continue
    }
    const sample = readSample(line)
    const family = families.get(open ?? '')
    if (!family || !belongs(sample.name, open ?? '', family.type)) throw new Error(`Out of place: ${line}`)
    const series = JSON.stringify([sample.name, Object.entries(sample.labels).sort(([a], [b]) => (a < b ? -1 : 1))])
    if (seen.has(series)) throw new Error(`Twice: ${line}`)
    seen.add(series)
    family.samples.push(sample)
  }
  for (const [name, family] of families) requireWhole(name, family)
  return families
}

function readSample(line: string): ReadSample {
  const [, name, pairs, value] = SAMPLE.exec(line) ?? []
  if (name === undefined || value === undefined || !NUMBER.test(value)) throw new Error(`No sample: ${line}`)
  return { name, labels: readLabels(pairs ?? '', line), value: Number(value.replace('Inf', 'Infinity')) }
}

function readLabels(text: string, line: string): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {}
  for (let rest = text; rest !== ''; ) {
    const [whole, name, value] = LABEL.exec(rest) ?? []
    if (whole === undefined || name === undefined || value === undefined || name in labels) {
      throw new Error(`Labels of: ${line}`)
    }
    labels[name] = value.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
    rest = rest.slice(whole.length)
  }
  return labels
}

function belongs(sample: string, family: string, type: string): boolean {
  if (type !== 'histogram') return sample === family
  return [`${family}_bucket`, `${family}_sum`, `${family}_count`].includes(sample)
}

function requireWhole(name: string, { type, samples }: ReadFamily): void {
  if (samples.length === 0) throw new Error(`${name} has no samples.`)
  if (type === 'counter' && !name.endsWith('_total')) throw new Error(`${name} is a counter and does not say so.`)
  if (type === 'counter' && samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} is below zero.`)
  if (type !== 'histogram') return
  const buckets = samples.filter((each) => each.name === `${name}_bucket`)
  const bounds = buckets.map(({ labels }) => Number(labels['le']?.replace('+Inf', 'Infinity')))
  const isAscending = (values: readonly number[], isStrict: boolean) =>
    values.every((value, at) => at === 0 || (isStrict ? value > (values[at - 1] ?? 0) : value >= (values[at - 1] ?? 0)))
  const count = samples.find((each) => each.name === `${name}_count`)?.value
  const isWhole =
    isAscending(bounds, true) &&
    isAscending(
      buckets.map(({ value }) => value),
      false,
    ) &&
    bounds.at(-1) === Infinity &&
    buckets.at(-1)?.value === count &&
    samples.some((each) => each.name === `${name}_sum`)
  if (!isWhole) throw new Error(`The buckets of ${name} do not add up.`)
}
