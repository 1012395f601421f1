import process from 'node:process'
import { type Env, systemEnv } from '../../clock.ts'
import { type Duration, parseDuration } from '../../duration.ts'
import { InvalidInputError, PontualError, quote } from '../../errors.ts'
import { formatInstant } from '../../time/instant.ts'
import { asking } from '../asking.ts'
import type { ConnectOptions } from '../client/connect.ts'
import { type Connection, isPassing } from '../client/connection.ts'
import { shownJson } from '../print/text.ts'
import { pause } from '../signals.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'
import { drawGlance } from '../top/draw-glance.ts'
import { type Glance, GlanceReader } from '../top/read-glance.ts'
import { Bell, openScreen, type ScreenStreams } from '../top/screen.ts'

export interface TopOptions extends ConnectOptions {
  readonly interval: Duration
  readonly once: boolean
  readonly json: boolean
}

const SHORTEST_MS = 100
/** Where a lot happens, the terminal is not redrawn for each of it. */
const CALM_MS = 250
/** Of a picture that nobody has to see at a glance. */
const ALL_ROWS = 1_000

/** `pontual top`: nodes, queues, what runs, rates, failures and alerts, as they change; on a terminal as a page, else as lines of JSON. */
export async function runTop(options: TopOptions, environment: Environment, terminal: Terminal): Promise<void> {
  const intervalMs = parseDuration(options.interval, '--interval')
  if (intervalMs < SHORTEST_MS) {
    const message = `--interval must be at least ${SHORTEST_MS}ms, got ${quote(options.interval)}.`
    throw new InvalidInputError('option.invalid', message, { name: 'interval' })
  }
  await asking(options, environment, async (connection) => {
    if (options.once) await showOnce(connection, options, terminal)
    else if (options.json || !terminal.isInteractive) await tellLines(connection, intervalMs, terminal)
    else await watch(connection, { intervalMs, tone: terminal.tone })
  })
}

async function showOnce(connection: Connection, { json }: TopOptions, terminal: Terminal): Promise<void> {
  const glance = await new GlanceReader(connection, systemEnv).read(new AbortController().signal)
  const { columns, tone } = terminal
  const text = json ? shownJson(glance) : drawGlance(glance, { columns, rows: ALL_ROWS, tone }).join('\n')
  terminal.write(`${text}\n`)
}

/** One object for each look, until somebody ends it; where nobody answers any more, why. */
async function tellLines(connection: Connection, intervalMs: number, terminal: Terminal): Promise<void> {
  const over = new AbortController()
  const leave = () => over.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave)
  const reader = new GlanceReader(connection, systemEnv)
  for (let isFirst = true; !over.signal.aborted; isFirst = false) {
    const told = await readOr(reader, { isFirst, place: connection.place, signal: over.signal })
    if (told !== null) terminal.write(`${shownJson(told)}\n`)
    await pause(systemEnv, intervalMs, over.signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, leave)
}

interface Look {
  readonly isFirst: boolean
  readonly place: string
  readonly signal: AbortSignal
}

/** What there is to see, or why it cannot be seen; null where nobody looks any more. */
async function readOr(reader: GlanceReader, { isFirst, place, signal }: Look): Promise<object | null> {
  try {
    return await reader.read(signal)
  } catch (error) {
    if (signal.aborted) return null
    const { code, message } = passing(error, isFirst)
    return { at: formatInstant(systemEnv.now()), place, error: { code, message } }
  }
}

/** Trouble that may pass; what will not, and what is there from the first, is thrown. */
function passing(error: unknown, isFirst: boolean): PontualError {
  if (error instanceof PontualError && !isFirst && isPassing(error)) return error
  throw error
}

export interface WatchOptions {
  readonly intervalMs: number
  readonly tone: Terminal['tone']
  readonly env?: Env | undefined
  readonly streams?: ScreenStreams | undefined
}

/** Shows a page until somebody leaves it; it is redrawn when its time has come, when something happens, and when the terminal changes its size. */
export async function watch(connection: Connection, options: WatchOptions): Promise<void> {
  const { intervalMs, tone, env = systemEnv, streams } = options
  const reader = new GlanceReader(connection, env)
  // Before the terminal is taken: who cannot be asked is told of in it.
  const [bell, over] = [new Bell(env), new AbortController()]
  let glance: Glance = await reader.read(over.signal)
  let trouble: string | null = null
  const leave = () => {
    over.abort()
    bell.ring()
  }
  const draw = () => screen.draw(drawGlance(glance, { ...sizeOf(screen), tone, trouble, hasKeys: screen.hasKeys }))
  const screen = openScreen({ onLeave: leave, onResize: () => draw() }, streams)
  const listening = ringOnEvents(connection, bell, over.signal)
  try {
    draw()
    while (!over.signal.aborted) {
      await bell.wait(intervalMs)
      if (over.signal.aborted) break
      try {
        glance = await reader.read(over.signal)
        trouble = null
      } catch (error) {
        if (over.signal.aborted) break
        trouble = passing(error, false).message
      }
      draw()
      await pause(env, Math.min(CALM_MS, intervalMs), over.signal)
    }
  } finally {
    over.abort()
    screen.close()
    await listening
  }
}

function sizeOf({ columns, rows }: { readonly columns: number; readonly rows: number }) {
  return { columns, rows }
}

/** Where events cannot be had, the clock is enough. */
async function ringOnEvents(connection: Connection, bell: Bell, signal: AbortSignal): Promise<void> {
  try {
    for await (const _event of connection.stream('/events', signal)) bell.ring()
  } catch {
    return
  }
}
