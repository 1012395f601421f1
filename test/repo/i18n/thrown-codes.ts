import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCE = join(import.meta.dirname, '../../../src')

/** Where nothing is that an answer of the API could come from. */
const ELSEWHERE = /^(cli|testing)\/|\.test\.ts$|\/i18n\//

const CODE = "'([a-z][a-zA-Z0-9_]*(?:\\.[a-z0-9_]+)*)'"

/** How a code is given to an error, or to what is wrong with a field. */
const GIVEN: readonly RegExp[] = [
  // An error that is made, and one whose class knows its code; a status may stand before.
  new RegExp(`(?:new \\w+(?:Error|Refusal)|super)\\(\\s*(?:\\d{3},\\s*)?${CODE},`, 'g'),
  // A field that is refused: where it is, and then why.
  new RegExp(`(?:problems\\.add|invalidField|refuse)\\(\\s*[^,]+,\\s*${CODE},`, 'g'),
  // The same with a choice of two.
  new RegExp(`problems\\.add\\([^,]+, \\w+ \\? ${CODE} : ${CODE},`, 'g'),
  // What JSON is refused for, and cron expressions.
  new RegExp(`(?:#problem|invalidExpression)\\((?:\\s*expression,)?\\s*${CODE},`, 'g'),
  // Said beside a message.
  new RegExp(`(?:says|never)[:=] \\{ code: ${CODE}`, 'g'),
  new RegExp(`expected\\([^;]*?${CODE}[,)]`, 'g'),
]

export interface ThrownCode {
  readonly code: string
  readonly file: string
}

/** Every code that is written down in the source of the engine, the service and the server. */
export function thrownCodes(): ThrownCode[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  return files
    .filter((file) => !ELSEWHERE.test(file))
    .flatMap((file) => codesIn(readFileSync(join(SOURCE, file), 'utf8')).map((code) => ({ code, file })))
}

function codesIn(text: string): string[] {
  const found = GIVEN.flatMap((pattern) => [...text.matchAll(pattern)].flatMap(([, ...codes]) => codes))
  return [...new Set(found.filter((code) => code !== undefined))]
}
