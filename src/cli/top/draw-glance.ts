import { formatSpan } from '../print/instants.ts'
import { cutToWidth, textWidth } from '../print/table.ts'
import { shownLine } from '../print/text.ts'
import type { Terminal, Tone } from '../terminal.ts'
import type { Glance } from './read-glance.ts'

export interface Frame {
  readonly columns: number
  readonly rows: number
  readonly tone: Terminal['tone']
  /** Why what is shown is old; null where it is not. */
  readonly trouble?: string | null | undefined
  /** Whether somebody can press a key. */
  readonly hasKeys?: boolean | undefined
}

/** A moment as lines that fit a terminal. What was written by anybody stands in it without anything that steers a terminal. */
export function drawGlance(glance: Glance, frame: Frame): string[] {
  const now = Date.parse(glance.at)
  const head = [...header(glance, frame), ...alerts(glance, now), [], ...nodes(glance, now), ...queues(glance)]
  const foot = failures(glance, now)
  const room = Math.max(3, frame.rows - head.length - foot.length)
  const lines = [...head, ...running(glance, room), ...foot]
  return lines.slice(0, frame.rows).map((line) => renderLine(line, frame))
}

function header(glance: Glance, { trouble, hasKeys, columns }: Frame): Line[] {
  const { place, at, running: count, queued, waiting, cap, oldestWaitMs, rates } = glance
  const clock = `${at.slice(11, 19)} UTC${hasKeys ? '  q ends' : ''}`
  const title = cutToWidth(shownLine(`pontual top  ${place}`), Math.max(1, columns - clock.length - 2))
  const gap = ' '.repeat(Math.max(2, columns - textWidth(title) - clock.length))
  const oldest = oldestWaitMs === null ? '' : ` (oldest ${formatSpan(oldestWaitMs)})`
  return [
    [[title, 'strong'], gap, [clock, 'dim']],
    ...(trouble ? [[[`no answer: ${shownLine(trouble)}`, 'bad'] as const]] : []),
    [
      label('executions'),
      `${count} running${cap === null ? '' : ` of ${cap}`}`,
      [`   ${queued} queued${oldest}`, queued > 0 ? 'warn' : 'dim'],
      waiting === null ? '' : `   ${waiting} waiting`,
    ],
    ...(rates === null
      ? []
      : [
          [
            label('rate'),
            `${perMinute(rates.endedPerMinute)} ended, `,
            [`${perMinute(rates.failedPerMinute)} failed`, rates.failedPerMinute > 0 ? 'bad' : 'dim'],
            [' a minute   last hour ', 'dim'],
            sparkline(rates.ended, Math.max(10, Math.min(60, columns - 60))),
          ] satisfies Line,
        ]),
  ]
}

function alerts({ alerts: open }: Glance, now: number): Line[] {
  if (open === null || open.length === 0) return []
  return open
    .slice(0, 3)
    .map(({ level, name, description, since, jobName }, index) => [
      index === 0 ? label('alerts') : label(''),
      [`${level === 'error' ? 'ERROR' : 'warn'}  `, level === 'error' ? 'bad' : 'warn'],
      shownLine(
        `${name}${jobName === null ? '' : ` (${jobName})`}, for ${formatSpan(now - Date.parse(since))}: ${description}`,
      ),
      ...(index === 2 && open.length > 3 ? [[`  and ${open.length - 3} more`, 'dim'] as const] : []),
    ])
}

const [MOST_NODES, BAR] = [8, 20]

function nodes({ nodes: all }: Glance, now: number): Line[] {
  if (all.length === 0) return [[['No node lives: nothing runs. Start one: npx pontual start', 'bad']], []]
  const width = Math.min(30, Math.max(4, ...all.map(({ name }) => textWidth(shownLine(name)))))
  const lines = all.slice(0, MOST_NODES).map(({ name, slots, running: used, isAlive, startedAt, renewedAt }): Line => {
    const seen = formatSpan(Math.max(0, now - Date.parse(renewedAt)))
    return [
      [`  ${shortened(name, width)}  `, isAlive ? undefined : 'bad'],
      [bar(used, slots), isAlive ? (used >= slots ? 'warn' : 'good') : 'dim'],
      `  ${`${used}/${slots}`.padStart(7)}  `,
      isAlive ? [`up ${formatSpan(now - Date.parse(startedAt))}`, 'dim'] : [`DEAD, seen ${seen} ago`, 'bad'],
    ]
  })
  const rest = all.length - MOST_NODES
  return [[['nodes', 'strong']], ...lines, ...(rest > 0 ? [[[`  and ${rest} more`, 'dim'] as const]] : []), []]
}

function queues({ queues: all }: Glance): Line[] {
  const busy = all.filter(({ queued }) => queued > 0)
  if (busy.length === 0) return []
  const text = busy.map(({ queue, queued }) => `${shownLine(queue)} ${queued}`).join('   ')
  return [[label('queues'), text], []]
}

function running({ executions, running: count }: Glance, room: number): Line[] {
  if (executions === null) return [[['what runs may not be seen', 'dim']], []]
  if (executions.length === 0) return [[['nothing runs', 'dim']], []]
  const shown = executions.slice(0, Math.max(1, room - 3))
  const names = shown.map(({ jobName, jobType }) => jobName ?? jobType)
  const width = Math.min(40, Math.max(3, ...names.map((name) => textWidth(shownLine(name)))))
  const rest = Math.max(executions.length, count) - shown.length
  // A service tells of the newest first.
  const order = count > executions.length ? `of the newest ${executions.length} the oldest first` : 'the oldest first'
  const title = `running, ${order}${rest > 0 ? `; ${rest} more` : ''}`
  return [
    [[title, 'strong']],
    ...shown.map(({ id, ageMs, attempt, progress, progressNote }, index): Line => {
      const done = progress === null ? '' : `${Math.round(progress * 100)}%`
      return [
        `  ${formatSpan(ageMs).padStart(10)}  ${shortened(names[index] ?? '', width)}  `,
        [attempt > 1 ? `try ${attempt}  ` : '', 'warn'],
        `${done.padStart(4)}  `,
        [`${id}  `, 'dim'],
        shownLine(progressNote ?? ''),
      ]
    }),
    [],
  ]
}

function failures({ failures: groups }: Glance, now: number): Line[] {
  if (groups === null || groups.length === 0) return []
  return [
    [['failures of the last hour', 'strong']],
    ...groups.map(
      ({ count, errorName, message, jobs, lastAt }): Line => [
        [`  ${`${count}x`.padStart(5)}  `, 'bad'],
        [`${formatSpan(Math.max(0, now - Date.parse(lastAt))).padStart(10)} ago  `, 'dim'],
        shownLine(
          [jobs.map(({ name }) => name).join(', '), errorName, message].filter((each) => each !== '').join(': '),
        ),
      ],
    ),
  ]
}

function label(text: string): readonly [string, Tone] {
  return [text.padEnd(12), 'strong']
}

function shortened(text: string, width: number): string {
  const cut = cutToWidth(shownLine(text), width)
  return cut + ' '.repeat(Math.max(0, width - textWidth(cut)))
}

function bar(used: number, slots: number): string {
  const filled = slots === 0 ? 0 : Math.min(BAR, Math.ceil((used / slots) * BAR))
  return `[${'|'.repeat(filled)}${' '.repeat(BAR - filled)}]`
}

function perMinute(rate: number): string {
  return rate >= 100 ? String(Math.round(rate)) : String(Math.round(rate * 10) / 10)
}

const HEIGHTS = '▁▂▃▄▅▆▇█'

/** How much over time, the newest to the right; what does not fit is left out on the left. */
export function sparkline(values: readonly number[], width: number): string {
  const shown = values.slice(-width)
  const most = Math.max(1, ...shown)
  return shown.map((each) => (each === 0 ? ' ' : (HEIGHTS[Math.ceil((each / most) * 8) - 1] ?? ''))).join('')
}

/** A piece of a line: as it is, or in a tone. */
type Piece = string | readonly [string, (Tone | undefined)?]

type Line = readonly Piece[]

/** A line that is no longer than a terminal is wide, in colours where it has any. */
function renderLine(
  line: Line,
  { columns, tone }: { readonly columns: number; readonly tone: Terminal['tone'] },
): string {
  let left = columns
  let rendered = ''
  for (const piece of line) {
    const [text, colour] = typeof piece === 'string' ? [piece] : piece
    if (left <= 0) break
    const shown = cutToWidth(text, left)
    left -= textWidth(shown)
    rendered += colour === undefined || shown.trim() === '' ? shown : tone(shown, colour)
  }
  return rendered.trimEnd()
}
