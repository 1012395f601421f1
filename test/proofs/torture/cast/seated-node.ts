import { setTimeout as sleep } from 'node:timers/promises'
import type { HistoryWriter } from '../history/writer.ts'
import type { TorturedNode, Wire } from '../stage.ts'
import { NOT_STARTED, Program, type ProgramEnd, type Surroundings } from './program.ts'

const SLOTS = 20
const REPLACE_MS = 300
/** A node that is told to stop has ended by then, whatever else goes wrong. */
const MOST_STOP_MS = 30_000
const MOST_START_MS = 30_000

export interface SeatParts {
  readonly history: HistoryWriter
  readonly folder: string
  readonly wire: Wire
  /** Of the next node. */
  readonly nextSurroundings: () => Surroundings
  /** Of the next node: nobody was called so before. */
  readonly nextName: () => string
  /** By how much its clock is wrong. */
  readonly nextSkewMs: () => number
  readonly wait: (ms: number) => Promise<void>
  /** A process did what none may do. */
  readonly onStrange: (what: string) => void
}

type How = 'killed' | 'terminated' | 'stopped' | 'continued' | 'died'

/** A place that always has a node: one that is gone is replaced, whoever ended it. Its name and its process are of the one that is there now. */
export class SeatedNode implements TorturedNode {
  readonly #parts: SeatParts
  #name = ''
  #program: Program
  /** Somebody else ends the process that is here, and replaces it. */
  #isTaken = false
  #isOver = false

  constructor(parts: SeatParts) {
    this.#parts = parts
    this.#program = this.#seat()
  }

  get name(): string {
    return this.#name
  }

  get pid(): number {
    return this.#program.pid
  }

  get wire(): Wire {
    return this.#parts.wire
  }

  get isUp(): boolean {
    return this.#program.isUp && !this.#isTaken
  }

  /** Waits until the one that is here takes work, or for as long as that may take. */
  async untilReady(): Promise<void> {
    const until = performance.now() + MOST_START_MS
    while (!this.#isOver && performance.now() < until) {
      const program = this.#program
      const said = await Promise.race([program.ready, sleep(until - performance.now(), null, { ref: false })])
      if (said !== null && program === this.#program) return
      await sleep(REPLACE_MS)
    }
  }

  async kill(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    if (this.#isTaken || this.#isOver) return await meanwhile()
    this.#isTaken = true
    if (!this.#program.hasEnded) this.#note('killed')
    await this.#program.kill()
    try {
      await meanwhile()
    } finally {
      await this.#replace()
    }
  }

  async stop(forMs: number): Promise<void> {
    const program = this.#program
    if (!this.isUp) return await this.#parts.wait(forMs)
    const name = this.#name
    this.#note('stopped', name)
    program.signal('SIGSTOP')
    try {
      await this.#parts.wait(forMs)
    } finally {
      program.signal('SIGCONT')
      if (!program.hasEnded) this.#note('continued', name)
    }
  }

  async restart(): Promise<{ readonly stoppedMs: number }> {
    if (!this.isUp || this.#isOver) return { stoppedMs: 0 }
    this.#isTaken = true
    const startedAt = performance.now()
    await this.#terminate()
    const stoppedMs = performance.now() - startedAt
    await this.#replace()
    return { stoppedMs }
  }

  /** Lets it end as it should, for good. */
  async end(): Promise<void> {
    this.#isOver = true
    if (!this.#program.hasEnded) await this.#terminate()
  }

  async endAtOnce(): Promise<void> {
    this.#isOver = true
    await this.#program.kill()
  }

  async #terminate(): Promise<void> {
    const program = this.#program
    this.#note('terminated')
    program.signal('SIGTERM')
    const end = await Promise.race([program.ended, sleep(MOST_STOP_MS, null, { ref: false })])
    if (end && (end.code === 0 || end.code === NOT_STARTED)) return
    // Its own work may have killed it meanwhile; and who is not up yet does not hear the signal, and dies of it.
    if (end?.signal === 'SIGKILL' || end?.signal === 'SIGTERM') return
    this.#parts.onStrange(
      end
        ? `${this.#name} ended by ${tellEnd(end)} when it was to stop`
        : `${this.#name} did not stop in ${MOST_STOP_MS} ms`,
    )
    await program.kill()
  }

  async #replace(): Promise<void> {
    this.#isTaken = false
    if (this.#isOver) return
    this.#program = this.#seat()
    await Promise.race([this.#program.ready, sleep(MOST_START_MS, null, { ref: false })])
  }

  #seat(): Program {
    const { folder, wire, nextSurroundings, nextName, nextSkewMs } = this.#parts
    this.#name = nextName()
    const options = { url: wire.url, name: this.#name, folder, slots: SLOTS, skewMs: nextSkewMs() }
    const program = new Program('node', options, nextSurroundings())
    void program.ended.then((end) => this.#onEnd(program, end))
    return program
  }

  async #onEnd(program: Program, end: ProgramEnd): Promise<void> {
    if (program !== this.#program || this.#isTaken || this.#isOver) return
    this.#note('died')
    const isExpected = end.signal === 'SIGKILL' || end.code === NOT_STARTED
    if (!isExpected) this.#parts.onStrange(`${this.#name} ended by itself: ${tellEnd(end)}`)
    await sleep(REPLACE_MS)
    if (program === this.#program && !this.#isTaken && !this.#isOver) this.#program = this.#seat()
  }

  #note(how: How, node = this.#name): void {
    this.#parts.history.write({ kind: 'strike', fault: 'process', phase: 'begun', detail: { node, how } })
  }
}

function tellEnd({ code, signal, errors }: ProgramEnd): string {
  return `${signal ?? `code ${code}`}\n${errors}`
}
