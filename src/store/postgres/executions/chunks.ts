import type { NewExecution } from '../../executions.ts'

/** One statement takes no more: its text of values is built in memory, here and there. */
const CHUNK = 2_000
const CHUNK_CHARACTERS = 8_388_608

/** Executions for one statement, with their lanes. */
export interface Chunk {
  readonly executions: readonly NewExecution[]
  readonly lanes: readonly number[]
}

export function chunksOf(executions: readonly NewExecution[], lanes: readonly number[]): Chunk[] {
  const chunks: Chunk[] = []
  let from = 0
  let characters = 0
  for (const [index, { body }] of executions.entries()) {
    const length = body.payload?.length ?? 0
    if (index - from >= CHUNK || (characters + length > CHUNK_CHARACTERS && index > from)) {
      chunks.push({ executions: executions.slice(from, index), lanes: lanes.slice(from, index) })
      from = index
      characters = 0
    }
    characters += length
  }
  chunks.push({ executions: executions.slice(from), lanes: lanes.slice(from) })
  return chunks
}
