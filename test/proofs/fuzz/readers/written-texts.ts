import fc from 'fast-check'
import { readEvents, type StreamPart } from '../../../../src/cli/client/events.ts'
import { shownJson, shownLine, shownText } from '../../../../src/cli/print/text.ts'
import { Lines } from '../../../../src/engine/sandbox/lines.ts'
import { quote } from '../../../../src/errors.ts'
import { eventText } from '../../../../src/server/response/streams.ts'
import { csvCell } from '../../../../src/service/audit/csv.ts'
import { textOfLine } from '../../../../src/service/executions/read-logs.ts'
import { prometheusText } from '../../../../src/service/metrics/prometheus-text.ts'
import { executeMessages, parseMessages, type WireValue } from '../../../../src/store/driver/pglite-session.ts'
import { readPrometheus } from '../../../http/service/prometheus-parser.ts'
import { type Check, check } from '../check.ts'
import { requireEqual, requireThat, within } from '../expectations.ts'
import { anyText, anyTextOrLong, HOSTILE_TEXTS } from '../texts.ts'

const WRITE_MS = 250

const formula = fc
  .tuple(
    fc.constantFrom('', ' ', '\t', '\n', '\ufeff', '\u00a0'),
    fc.constantFrom('=', '+', '-', '@', '|', '＝'),
    anyText,
  )
  .map((parts) => parts.join(''))

const cells = check(
  {
    target: 'readers',
    name: 'cells of the audit log are read back as they were, and none is a formula',
    inputs: 'cells of the exported audit log',
  },
  () =>
    fc.property(
      fc.array(fc.oneof(formula, anyTextOrLong, fc.jsonValue()), { minLength: 1, maxLength: 8 }),
      (values) => {
        const line = `${values.map(csvCell).join(',')}\r\n`
        const read = within(WRITE_MS, 'reading it', () => readCsv(line))
        const texts = values.map((value) =>
          value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value),
        )
        requireEqual(
          read.map((cell) => cell.replace(/^'(?=\s*[=+\-@\t\r\n|＝＋－＠])/u, '')),
          texts.map((text) => text.replace(/^'(?=\s*[=+\-@\t\r\n|＝＋－＠])/u, '')),
          'cells',
        )
        for (const [index, cell] of read.entries()) {
          const isNumber = typeof values[index] === 'number'
          requireThat(isNumber || !/^\s*[=+\-@|＝＋－＠]/u.test(cell), () => `a formula: ${JSON.stringify(cell)}`)
        }
      },
    ),
)

/** A row as RFC 4180 has it, by a reader of our own. */
function readCsv(line: string): string[] {
  const cells: string[] = []
  let at = 0
  for (;;) {
    let cell = ''
    if (line[at] === '"') {
      at += 1
      for (; line[at] !== '"' || line[at + 1] === '"'; at += 1) {
        requireThat(at < line.length, () => 'a cell that has no end')
        if (line[at] === '"') at += 1
        cell += line[at]
      }
      at += 1
    } else {
      for (; at < line.length && line[at] !== ',' && !line.startsWith('\r\n', at); at += 1) cell += line[at]
    }
    cells.push(cell)
    if (line[at] !== ',') break
    at += 1
  }
  requireEqual(line.slice(at), '\r\n', 'what follows the last cell')
  return cells
}

/** A terminal obeys them. */
const OBEYED = /(?![\n\t])\p{Cc}/u

const shown = check(
  {
    target: 'readers',
    name: 'text of others is shown, and never obeyed',
    inputs: 'log lines and texts shown in a terminal',
  },
  () =>
    fc.property(fc.oneof(anyTextOrLong, escapes), fc.jsonValue(), (text, value) => {
      const fields = JSON.stringify(value)
      const line = within(WRITE_MS, 'a log line', () =>
        textOfLine({ executionId: '', sequence: 1, attempt: 1, at: 0, level: 'info', message: text, fields }),
      )
      requireThat(!OBEYED.test(line), () => `obeyed: ${JSON.stringify(line)}`)
      requireThat(
        line
          .split(/[\n\u2028\u2029]/)
          .slice(1, -1)
          .every((each) => each.startsWith('    ')),
        () => `a forged line: ${JSON.stringify(line)}`,
      )
      const told = within(WRITE_MS, 'a text', () => shownText(text))
      requireThat(!OBEYED.test(told) && !/[\p{Cf}\p{Surrogate}]/u.test(told), () => `hidden: ${JSON.stringify(told)}`)
      requireThat(!/[\n\t]/.test(shownLine(text)), () => 'a line that is several')
      requireEqual(JSON.parse(shownJson(value)), JSON.parse(fields), 'a value shown as JSON')
      const quoted = quote(text)
      requireThat(quoted.length < 500 && !OBEYED.test(quoted), () => `quoted: ${quoted}`)
    }),
)

const escapes = fc
  .array(
    fc.oneof(
      fc.constantFrom('\u001b[', '\u001b]0;', '\u009b', '\u0007', '2J', '31m', '\n', '\r', '\u001b\\', '\u0085'),
      fc.string({ maxLength: 4 }),
    ),
  )
  .map((parts) => parts.join(''))

const label = fc.oneof(anyText, fc.constantFrom(...HOSTILE_TEXTS, '"', '\\', '\\n', '{}', '} 1\nforged 1'))

const metrics = check(
  {
    target: 'readers',
    name: 'metrics are read back as they were, whatever their labels hold',
    inputs: 'labels of metrics',
  },
  () =>
    fc.property(fc.uniqueArray(label, { minLength: 1, maxLength: 6 }), fc.double(), (labels, value) => {
      const samples = labels.map((queue) => ({ labels: { queue }, value }))
      const family = readPrometheus(prometheusText([{ name: 'a', help: 'Help.', type: 'gauge', samples }])).get('a')
      requireEqual(
        family?.samples.map((sample) => sample.labels['queue']),
        labels,
        'labels',
      )
    }),
)

/** Hands a text on in pieces that end anywhere. */
function* pieces(bytes: Uint8Array, cuts: readonly number[]): Generator<Uint8Array> {
  const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  let from = 0
  for (const end of ends) {
    yield bytes.subarray(from, end)
    from = end
  }
}

async function* asStream(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  yield* pieces(bytes, cuts)
}

async function partsOf(text: string, cuts: readonly number[], newline: string): Promise<StreamPart[]> {
  const parts: StreamPart[] = []
  const bytes = new TextEncoder().encode(text.replaceAll('\n', newline))
  for await (const part of readEvents(asStream(bytes, cuts))) parts.push(part)
  return parts
}

const event = fc.record({ id: fc.nat(), event: fc.constantFrom('job.created', 'log'), data: fc.jsonValue() })
const cuts = fc.array(fc.nat(), { maxLength: 12 })

const streams = check(
  { target: 'readers', name: 'a stream of events is read alike however it is cut', inputs: 'streams of events' },
  () =>
    fc.asyncProperty(
      fc.array(event, { maxLength: 8 }),
      cuts,
      fc.constantFrom('\n', '\r\n'),
      async (events, places, newline) => {
        const parts = await partsOf(events.map(eventText).join(''), places, newline)
        const read = parts.flatMap((part) => (part.kind === 'event' ? [part.event] : []))
        requireEqual(
          JSON.stringify(read),
          JSON.stringify(events.map(({ id, event: name, data }) => ({ event: name, id: String(id), data }))),
          'events',
        )
      },
    ),
)

const lines = check(
  {
    target: 'readers',
    name: 'what a process prints is handed on whole however it is cut',
    inputs: 'output of isolated processes',
  },
  () =>
    fc.property(fc.array(fc.oneof(anyTextOrLong, fc.constant('\n')), { maxLength: 12 }), (texts) => {
      const said: string[] = []
      const reader = new Lines({ onLine: (line) => said.push(line), onEnd: () => {} })
      for (const text of texts) reader.add(text)
      reader.flush()
      const plain = (text: string) => text.replaceAll(/[\r\n]/g, '')
      requireEqual(plain(said.join('')), plain(texts.join('')), 'what was said')
      requireThat(
        said.every((line) => line.length <= 2_100),
        () => 'a line that is too long',
      )
    }),
)

/** Takes messages of PostgreSQL apart, as its documentation has them. */
function readMessage(message: Buffer): { readonly letter: string; readonly body: Buffer } {
  requireEqual(message.readInt32BE(1), message.length - 1, 'the length of a message')
  return { letter: message.toString('latin1', 0, 1), body: message.subarray(5) }
}

function readBound(body: Buffer, name: string): (Buffer | null)[] {
  const head = Buffer.from(`\0${name}\0`)
  requireThat(body.subarray(0, head.length).equals(head), () => 'another statement is bound')
  const formats = body.readUInt16BE(head.length)
  let at = head.length + 2 + 2 * formats
  const count = body.readUInt16BE(at)
  at += 2
  const values: (Buffer | null)[] = []
  for (let index = 0; index < count; index += 1) {
    const length = body.readInt32BE(at)
    at += 4
    values.push(length < 0 ? null : body.subarray(at, at + length))
    at += Math.max(0, length)
  }
  requireEqual([...body.subarray(at)], [0, 0], 'what follows the values')
  return values
}

const wireValue = fc.oneof<fc.Arbitrary<WireValue>[]>(
  fc.constant(null),
  anyTextOrLong,
  fc.uint8Array({ maxLength: 200 }),
)

const wire = check(
  {
    target: 'readers',
    name: 'values come to the database as they are',
    inputs: 'values bound in messages to PostgreSQL',
  },
  () =>
    fc.property(fc.array(wireValue, { maxLength: 20 }), fc.stringMatching(/^[a-z_]{1,30}$/), (values, name) => {
      const [bind, execute] = executeMessages(name, values)
      if (!bind || !execute) throw new Error('messages are missing')
      const { letter, body } = readMessage(bind)
      requireEqual(letter, 'B', 'the first message')
      const sent = values.map((value) => (value === null ? null : [...Buffer.from(value as string)]))
      requireEqual(
        readBound(body, name).map((value) => value && [...value]),
        sent,
        'values',
      )
      requireEqual(
        parseMessages(name, 'select 1').map((message) => readMessage(message).letter),
        ['P', 'D'],
        'messages',
      )
    }),
)

export const writtenTextChecks: readonly Check[] = [cells, shown, metrics, streams, lines, wire]
