/** What a mark on a row stands for. */
type MarkKind = 'onTime' | 'consolidated' | 'skipped' | 'firedLate' | 'lateRun'

export interface Mark {
  readonly at: number
  readonly kind: MarkKind
  /** Where the line of what runs late leads to. */
  readonly runsAt?: number | undefined
}

export interface Row {
  readonly label: string
  readonly marks: readonly Mark[]
  readonly note: string
  /** A stretch of this row alone. */
  readonly shaded?: { readonly from: number; readonly to: number } | undefined
}

export interface Timeline {
  readonly title: string
  /** For those who do not see the picture. */
  readonly description: string
  readonly from: number
  readonly to: number
  readonly ticks: readonly { readonly at: number; readonly label: string }[]
  /** A stretch, or an instant, of all rows. */
  readonly bands: readonly { readonly from: number; readonly to: number; readonly label: string }[]
  readonly rows: readonly Row[]
  /** Which marks are explained below. */
  readonly kinds: readonly MarkKind[]
}

const WIDTH = 860
const LEFT = 190
const RIGHT = 590
const TOP = 84
const ROW = 34

const MEANING: Readonly<Record<MarkKind, string>> = {
  onTime: 'fires on time',
  consolidated: 'missed, made up for by another run',
  skipped: 'missed, skipped',
  firedLate: 'missed, runs late',
  lateRun: 'the late run',
}

/** A picture of rows over one time line. It brings its own ground, so that it reads on light and on dark pages. */
export function drawTimeline(timeline: Timeline): string {
  const bottom = TOP + timeline.rows.length * ROW
  const height = bottom + (timeline.kinds.length > 0 ? 44 : 14)
  const x = (at: number) => round(LEFT + ((at - timeline.from) / (timeline.to - timeline.from)) * (RIGHT - LEFT))
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escapeXml(timeline.title)}</title>`,
    `<desc id="description">${escapeXml(timeline.description)}</desc>`,
    STYLE,
    `<rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>`,
    `<text class="title" x="20" y="30">${escapeXml(timeline.title)}</text>`,
  ]
  for (const { from, to, label } of timeline.bands) {
    const [left, right] = [x(from), x(to)]
    const shape =
      left === right
        ? `<line class="change" x1="${left}" x2="${left}" y1="${TOP - 12}" y2="${bottom}"/>`
        : `<rect class="band" x="${left}" y="${TOP - 12}" width="${round(right - left)}" height="${bottom - TOP + 12}"/>`
    lines.push(shape)
    lines.push(
      `<text class="quiet" x="${round((left + right) / 2)}" y="52" text-anchor="middle">${escapeXml(label)}</text>`,
    )
  }
  for (const { at, label } of timeline.ticks) {
    lines.push(`<line class="grid" x1="${x(at)}" x2="${x(at)}" y1="${TOP - 12}" y2="${bottom}"/>`)
    lines.push(`<text class="tick" x="${x(at)}" y="${TOP - 17}" text-anchor="middle">${escapeXml(label)}</text>`)
  }
  for (const [index, row] of timeline.rows.entries()) lines.push(...drawRow(row, TOP + index * ROW + ROW / 2, x))
  let legendAt = 20
  for (const kind of timeline.kinds) {
    lines.push(drawMark(kind, legendAt + 6, bottom + 24))
    lines.push(`<text class="quiet" x="${legendAt + 18}" y="${bottom + 28}">${MEANING[kind]}</text>`)
    legendAt += 34 + MEANING[kind].length * 6.4
  }
  return `${[...lines, '</svg>'].join('\n')}\n`
}

function drawRow(row: Row, y: number, x: (at: number) => number): string[] {
  const lines = [`<text class="label" x="20" y="${y + 4}">${escapeXml(row.label)}</text>`]
  if (row.shaded) {
    const { from, to } = row.shaded
    lines.push(`<rect class="band" x="${x(from)}" y="${y - 13}" width="${round(x(to) - x(from))}" height="26"/>`)
  }
  lines.push(`<line class="axis" x1="${LEFT}" x2="${RIGHT}" y1="${y}" y2="${y}"/>`)
  for (const { at, runsAt } of row.marks) {
    if (runsAt === undefined) continue
    const middle = round((x(at) + x(runsAt)) / 2)
    lines.push(`<path class="way" d="M ${x(at)} ${y} Q ${middle} ${y - 20} ${x(runsAt)} ${y}"/>`)
  }
  for (const { at, kind } of row.marks) lines.push(drawMark(kind, x(at), y))
  return [...lines, `<text class="note" x="${RIGHT + 16}" y="${y + 4}">${escapeXml(row.note)}</text>`]
}

function drawMark(kind: MarkKind, x: number, y: number): string {
  if (kind === 'skipped')
    return `<path class="skipped" d="M ${x - 4} ${y - 4} L ${x + 4} ${y + 4} M ${x - 4} ${y + 4} L ${x + 4} ${y - 4}"/>`
  if (kind === 'lateRun') return `<path class="late" d="M ${x} ${y - 8} L ${x + 7} ${y + 5} L ${x - 7} ${y + 5} Z"/>`
  return `<circle class="${kind}" cx="${x}" cy="${y}" r="${kind === 'onTime' ? 5 : 4.5}"/>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const STYLE = `<style>
  text { font: 12px ui-sans-serif, system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2430 }
  .ground { fill: #ffffff; stroke: #d5d9e2 }
  .title { font-weight: 600; font-size: 14px }
  .label { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace }
  .tick { font-size: 11px; fill: #5b6374 }
  .quiet { fill: #5b6374 }
  .grid { stroke: #e6e9ef }
  .axis { stroke: #aab1c0 }
  .band { fill: #d97706; fill-opacity: 0.13 }
  .change { stroke: #d97706; stroke-width: 2; stroke-dasharray: 4 3 }
  .onTime { fill: #0f7b4f }
  .consolidated { fill: #ffffff; stroke: #5b6374; stroke-width: 1.5 }
  .firedLate { fill: #ffffff; stroke: #b45309; stroke-width: 2 }
  .skipped { stroke: #b3261e; stroke-width: 2; fill: none }
  .late { fill: #b45309 }
  .way { stroke: #b45309; stroke-width: 1; fill: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #e7e9ee }
    .ground { fill: #161a22; stroke: #333a48 }
    .tick, .quiet { fill: #a3abbb }
    .grid { stroke: #262c38 }
    .axis { stroke: #566074 }
    .onTime { fill: #3ddc97 }
    .consolidated { fill: #161a22; stroke: #a3abbb }
    .firedLate { fill: #161a22; stroke: #f5a524 }
    .skipped { stroke: #ff7b72 }
    .late { fill: #f5a524 }
    .way { stroke: #f5a524 }
  }
</style>`
