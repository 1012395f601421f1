import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Line } from '../history/lines.ts'

const STAGE = 'stage.jsonl'
/** As the stage writes it down. */
export const VERSION_BEFORE = 'version before'

/** How much there was of what. */
export interface Tally {
  /** Requests that were sent, by code and over HTTP, and what became of them. */
  readonly asked: number
  readonly accepted: number
  readonly refused: number
  readonly unknown: number
  readonly effects: number
  readonly samples: number
  /** Effects of nodes of the version before, since the database is no longer of that version. */
  readonly besides: number
}

/** Counts the lines of a history. */
export async function tally(folder: string): Promise<Tally> {
  const counts = { asked: 0, accepted: 0, refused: 0, unknown: 0, effects: 0, samples: 0, besides: 0 }
  const upgrade: Upgrade = { nodes: [], at: Number.POSITIVE_INFINITY }
  // What the stage has written tells of the others.
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  for (const name of names.sort((a, b) => Number(b === STAGE) - Number(a === STAGE))) {
    for await (const text of createInterface({ input: createReadStream(join(folder, name)) })) {
      // What a killed process was writing may be cut off.
      if (text.endsWith('}')) count(counts, upgrade, JSON.parse(text) as Line)
    }
  }
  return counts
}

/** From when on the database was of this version, and who was of the one before. */
interface Upgrade {
  nodes: readonly string[]
  at: number
}

function count(counts: { -readonly [Name in keyof Tally]: number }, upgrade: Upgrade, line: Line): void {
  if (line.kind === 'asked') counts.asked += 1
  if (line.kind === 'answered') counts[line.outcome] += 1
  if (line.kind === 'sample') counts.samples += 1
  if (line.kind === 'effect') {
    counts.effects += 1
    if (line.at > upgrade.at && upgrade.nodes.includes(line.by)) counts.besides += 1
  }
  if (line.kind === 'strike' && line.fault === VERSION_BEFORE) {
    if (line.phase === 'begun') upgrade.nodes = (line.detail as { readonly nodes: readonly string[] }).nodes
    if (line.phase === 'healed') upgrade.at = line.at
  }
}
