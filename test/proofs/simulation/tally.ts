import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Seeds that were run, without a hole, and with which sources: with others they are other worlds. */
interface Range {
  readonly from: number
  readonly to: number
  readonly failed: readonly number[]
}

interface KeptRange extends Range {
  readonly date: string
  readonly sources: string
}

const FILE = new URL('../../.pontual-seeds.json', import.meta.url)
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Notes seeds that were run with the sources as they are. */
export function addRange(range: Range): void {
  if (range.to < range.from) return
  const kept: KeptRange = { ...range, date: new Date().toISOString().slice(0, 10), sources: hashSources() }
  writeFileSync(FILE, `${JSON.stringify([...readRanges(), kept], null, 2)}\n`)
}

/** How many different seeds hold with the sources as they are, in all runs that were noted. */
export function seedsThatHold(): number {
  const sources = hashSources()
  const ranges = readRanges().filter((range) => range.sources === sources)
  const failed = new Set(ranges.flatMap((range) => range.failed))
  let [count, countedTo] = [0, 0]
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    count += Math.max(0, to - Math.max(from - 1, countedTo))
    countedTo = Math.max(countedTo, to)
  }
  return count - failed.size
}

function readRanges(): KeptRange[] {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as KeptRange[]) : []
}

/** Of all that a seed depends on: the engine, and the simulation itself. */
function hashSources(): string {
  const hash = createHash('sha256')
  for (const folder of ['src', 'test/proofs/simulation']) {
    const files = readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    for (const file of files.filter((each) => /(?<!\.test)\.ts$/.test(each)).toSorted()) {
      hash.update(file).update(readFileSync(`${ROOT}${folder}/${file}`))
    }
  }
  return hash.digest('hex').slice(0, 16)
}
