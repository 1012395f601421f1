import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** Each line of a file. A process that was killed while it wrote leaves its last one cut off: that one is left out, and any other that cannot be read is an error. */
export async function* readJsonLines(path: string): AsyncGenerator<unknown> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
  let unreadable: string | null = null
  for await (const text of lines) {
    if (text === '') continue
    if (unreadable !== null) throw new Error(`${path} holds a line that is no JSON: ${unreadable.slice(0, 200)}`)
    const line = parse(text)
    if (line === undefined) unreadable = text
    else yield line
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
