import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Line } from '../history/lines.ts'

/** How much there was of what. */
export interface Tally {
  /** Requests that were sent, by code and over HTTP, and what became of them. */
  readonly asked: number
  readonly accepted: number
  readonly refused: number
  readonly unknown: number
  readonly effects: number
  readonly samples: number
}

/** Counts the lines of a history. */
export async function tally(folder: string): Promise<Tally> {
  const counts = { asked: 0, accepted: 0, refused: 0, unknown: 0, effects: 0, samples: 0 }
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.jsonl')) continue
    for await (const text of createInterface({ input: createReadStream(join(folder, name)) })) {
      // What a killed process was writing may be cut off.
      if (text.endsWith('}')) count(counts, JSON.parse(text) as Line)
    }
  }
  return counts
}

function count(counts: { -readonly [Name in keyof Tally]: number }, line: Line): void {
  if (line.kind === 'asked') counts.asked += 1
  if (line.kind === 'answered') counts[line.outcome] += 1
  if (line.kind === 'effect') counts.effects += 1
  if (line.kind === 'sample') counts.samples += 1
}
