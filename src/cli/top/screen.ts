import process from 'node:process'
import type { Env } from '../../clock.ts'

/** The streams of a terminal, as far as they are needed. */
export interface ScreenStreams {
  readonly input: Pick<NodeJS.ReadStream, 'on' | 'off' | 'resume' | 'pause'> &
    Partial<Pick<NodeJS.ReadStream, 'isTTY' | 'setRawMode'>>
  readonly output: Pick<NodeJS.WriteStream, 'on' | 'off' | 'write'> &
    Partial<Pick<NodeJS.WriteStream, 'columns' | 'rows'>>
}

export interface ScreenEvents {
  /** Somebody wants to leave: q, Ctrl+C, or a signal. */
  readonly onLeave: () => void
  readonly onResize: () => void
}

export interface Screen {
  readonly columns: number
  readonly rows: number
  readonly hasKeys: boolean
  draw(lines: readonly string[]): void
  /** Gives the terminal back as it was; twice does nothing. */
  close(): void
}

/** Wakes who waits, before his time is over. */
export class Bell {
  readonly #env: Env
  #isRung = false
  #wake: (() => void) | null = null

  constructor(env: Env) {
    this.#env = env
  }

  /** Where nobody waits, the next one who does is woken at once. */
  ring(): void {
    this.#isRung = true
    this.#wake?.()
  }

  /** Waits for the bell, or for so long. */
  async wait(ms: number): Promise<void> {
    if (!this.#isRung) {
      await new Promise<void>((resolve) => {
        const cancel = this.#env.after(ms, resolve)
        this.#wake = () => {
          cancel()
          resolve()
        }
      })
    }
    this.#wake = null
    this.#isRung = false
  }
}

/** The other screen, without a cursor, and without a second line where one is too long. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J'
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l'
const HOME = '\x1b[H'
const CLEAR_REST_OF_LINE = '\x1b[K'
const CLEAR_BELOW = '\x1b[J'

/** The last two: Ctrl+C, Ctrl+D. */
const LEAVE_KEYS: readonly string[] = ['q', 'Q', '\x03', '\x04']
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Takes the whole terminal, until it is closed or the process ends. */
export function openScreen(
  { onLeave, onResize }: ScreenEvents,
  { input, output }: ScreenStreams = { input: process.stdin, output: process.stdout },
): Screen {
  const hasKeys = input.isTTY === true && input.setRawMode !== undefined
  const onKeys = (data: unknown) => {
    if (LEAVE_KEYS.some((key) => String(data).includes(key))) onLeave()
  }
  let isOpen = true
  const close = () => {
    if (!isOpen) return
    isOpen = false
    for (const signal of SIGNALS) process.off(signal, onLeave)
    process.off('exit', close)
    output.off('resize', onResize)
    if (hasKeys) {
      input.off('data', onKeys)
      input.setRawMode?.(false)
      input.pause()
    }
    output.write(LEAVE)
  }
  for (const signal of SIGNALS) process.on(signal, onLeave)
  // Whatever ends the process, nobody is left with a terminal that shows nothing he types.
  process.on('exit', close)
  output.on('resize', onResize)
  if (hasKeys) {
    input.setRawMode?.(true)
    input.on('data', onKeys)
    input.resume()
  }
  output.write(ENTER)
  return {
    // Some say 0 where they do not know.
    get columns() {
      return output.columns || 80
    },
    get rows() {
      return output.rows || 24
    },
    hasKeys,
    draw: (lines) => {
      const text = lines.map((line) => `${line}${CLEAR_REST_OF_LINE}`).join('\r\n')
      if (isOpen) output.write(`${HOME}${text}${CLEAR_BELOW}`)
    },
    close,
  }
}
