import { relative } from 'node:path'
import process from 'node:process'
import { systemEnv } from '../../clock.ts'
import { PontualError } from '../../errors.ts'
import { findConfig } from '../config/load-project.ts'
import { shownLine, shownText } from '../print/text.ts'
import type { Terminal } from '../terminal.ts'
import { DevChild } from './dev-child.ts'
import type { Assignment, Sources } from './messages.ts'
import { SourceWatch } from './source-watch.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const SLOW_MS = 15_000
const STILL_LOADING =
  'Your files are still being loaded: does one of them wait for something, or never end? A change begins anew.\n'

/** What listens, as whoever started it is told. */
export interface Listening {
  readonly url: string
  readonly dashboardUrl: string | null
  /** Names of those that the code declares. */
  readonly jobs: readonly string[]
}

export interface Supervision {
  readonly assignment: Assignment
  readonly terminal: Terminal
  /** Whether standard output is for programs. */
  readonly json: boolean
  /** Whoever started it has had enough. */
  readonly stopped: Promise<void>
  /** Called once, when it listens for the first time. */
  onListening(listening: Listening): void
  /** Called whenever a new process has taken the place of another. */
  onReloaded(listening: Listening, tookMs: number): void
}

/**
 * Runs the user's jobs in a process of their own, and starts another when one of his files changes. That reads the files while the first still works; only
 * then does the first stop, and what it gave back or had not begun is taken up by the second. Files that cannot be read replace nothing.
 */
export async function supervise(supervision: Supervision): Promise<void> {
  const { stopped } = supervision
  const watch = new SourceWatch()
  const state = new Reloading(supervision, watch)
  let isStopped = false
  const stop = stopped.then(() => {
    isStopped = true
  })
  // Asked a second time: without patience, and without leaving a process behind. Heard from the beginning on, since the second may follow at once.
  const hurry = () => {
    if (isStopped) state.kill()
  }
  for (const signal of SIGNALS) process.on(signal, hurry)
  try {
    while (!isStopped) {
      await state.reload(stop)
      if (!isStopped) await Promise.race([state.untilChanged(), stop])
    }
  } finally {
    watch.close()
    await state.end()
    for (const signal of SIGNALS) process.off(signal, hurry)
  }
}

class Reloading {
  readonly #of: Supervision
  readonly #watch: SourceWatch
  #current: DevChild | null = null
  #standby: DevChild | null = null
  /** Kept over reloads, also where any was asked for. */
  #port: number | undefined
  #hasListened = false
  #isEnding = false
  /** Whether any process has said which files it reads. */
  #hasLoaded = false

  constructor(of: Supervision, watch: SourceWatch) {
    this.#of = of
    this.#watch = watch
  }

  async reload(stopped: Promise<void>): Promise<void> {
    const { assignment, terminal, json } = this.#of
    for (;;) {
      this.#watch.begin()
      // Should it never say which files it reads, there is at least what was named.
      if (!this.#hasLoaded) this.#watch.follow(namedSources(assignment), true)
      const child = new DevChild({ json })
      this.#standby = child
      const stopTelling = systemEnv.after(SLOW_MS, () => terminal.note(STILL_LOADING))
      const loaded = await Promise.race([child.load(assignment).catch(toProblem), this.#untilOverwritten(), stopped])
      stopTelling()
      if (!loaded) return
      if ('files' in loaded) {
        this.#tellChanged(loaded.files)
        await this.#endStandby()
        continue
      }
      if (loaded instanceof PontualError || loaded.kind === 'unloadable') {
        if (!(loaded instanceof PontualError)) this.#follow(loaded.sources, true)
        this.#tellProblem(loaded instanceof PontualError ? loaded : loaded.problem)
        await this.#endStandby()
        return
      }
      this.#follow(loaded.sources, false)
      await Promise.race([this.#replace(child, loaded.jobs), stopped])
      return
    }
  }

  /** A change of what is being read. */
  async #untilOverwritten(): Promise<{ readonly files: readonly string[] }> {
    return { files: await this.#watch.next() }
  }

  #follow(sources: Sources, isBroken: boolean): void {
    this.#hasLoaded = true
    this.#watch.follow(sources, isBroken)
  }

  #tellProblem({ message }: { readonly message: string }): void {
    const { terminal } = this.#of
    const rest = this.#current === null ? '' : ' What was loaded before goes on running.'
    terminal.note(`${terminal.tone(shownText(message), 'bad')}\nWaiting for a change.${rest}\n`)
  }

  #tellChanged(files: readonly string[]): void {
    const { terminal, assignment } = this.#of
    terminal.note(`Changed: ${files.map((file) => shownLine(relative(assignment.directory, file))).join(', ')}\n`)
  }

  /** Says which files have changed, or that the process of the jobs has ended by itself, and then waits on. */
  async untilChanged(): Promise<void> {
    const { terminal } = this.#of
    const current = this.#current
    const change = this.#watch.next()
    void current?.ended.then((how) => {
      if (this.#current !== current || this.#isEnding) return
      this.#current = null
      terminal.note(
        terminal.tone(`The process of your jobs has ended by itself: ${how}. Waiting for a change.\n`, 'bad'),
      )
    })
    this.#tellChanged(await change)
  }

  async end(): Promise<void> {
    this.#isEnding = true
    await Promise.all([this.#standby?.stop(), this.#current?.stop()])
  }

  kill(): void {
    this.#standby?.kill()
    this.#current?.kill()
  }

  async #replace(child: DevChild, jobs: readonly string[]): Promise<void> {
    const began = systemEnv.monotonic()
    const before = this.#current
    this.#current = null
    await before?.stop()
    try {
      const { url, dashboardUrl } = await child.open({ port: this.#port, isFirst: !this.#hasListened })
      this.#port = Number(new URL(url).port)
      this.#current = child
      this.#standby = null
      const listening = { url, dashboardUrl, jobs }
      if (this.#hasListened) this.#of.onReloaded(listening, systemEnv.monotonic() - began)
      else this.#of.onListening(listening)
      this.#hasListened = true
    } catch (error) {
      // What is wrong from the beginning, such as a port that is taken, no file can change.
      if (!this.#hasListened) throw error
      const { terminal } = this.#of
      terminal.note(`${terminal.tone(toProblem(error).message, 'bad')}\nNothing runs. Waiting for a change.\n`)
      await this.#endStandby()
    }
  }

  async #endStandby(): Promise<void> {
    const standby = this.#standby
    this.#standby = null
    await standby?.stop()
  }
}

function namedSources({ config, jobs = [], directory }: Assignment): Sources {
  const file = findConfig(config, directory)
  return {
    files: file === null ? [] : [file],
    patterns: jobs.map((pattern) => ({ pattern, directory })),
    missing: null,
  }
}

function toProblem(error: unknown): PontualError {
  if (error instanceof PontualError) return error
  throw error
}
