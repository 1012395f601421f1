import type { RunStop } from '../../../src/durable/host.ts'
import { type Code, Process, type ProcessOptions, Shelf } from './shelf.ts'

export interface DriveOptions extends ProcessOptions {
  readonly shelf?: Shelf | undefined
  /** The process dies at this point around a write, counted from 1. */
  readonly killAt?: number | undefined
  /** The node is shut down at this point. */
  readonly suspendAt?: number | undefined
  /** What becomes of a run that waits: it stays, it leaves and comes back in the same process, or in another. */
  readonly whenIdle?: 'stays' | 'comesBack' | 'isReplayed' | undefined
  /** It is cancelled as soon as so much was written. */
  readonly cancelAfter?: number | undefined
  /** Nothing is due, and the run waits: whatever it waits for is to be sent now. */
  onStuck?(shelf: Shelf): void
}

export interface Driven {
  readonly shelf: Shelf
  readonly stop: RunStop
  readonly processes: readonly Process[]
  /** How many points around writes it came by. */
  readonly points: number
}

const PATIENCE = 3_000
const STEP_MS = 100

/** Runs code to its end, through as many processes as it takes. */
export async function drive(code: Code, options: DriveOptions = {}): Promise<Driven> {
  const { shelf = new Shelf(), killAt, suspendAt, whenIdle = 'stays', cancelAfter, timeoutMs } = options
  const { env } = shelf
  const processes: Process[] = []
  let points = 0
  const next = () => {
    const process = new Process(shelf, code, { timeoutMs })
    processes.push(process)
    process.begin()
    return process
  }
  let process = next()
  shelf.onPoint = () => {
    points += 1
    if (points === killAt) process.kill()
    if (points === suspendAt) process.run.suspend()
    if (cancelAfter !== undefined && !shelf.cancellation && shelf.writes >= cancelAfter) {
      shelf.cancellation = { reason: 'enough', requestedAt: env.now() }
      if (!process.isDead) process.run.hear(shelf.news)
    }
  }
  for (let patience = PATIENCE; patience > 0; patience -= 1) {
    await env.settle()
    const { stopped, idle, isDead } = process
    if (stopped && isAccepted(stopped, shelf)) return { shelf, stop: stopped, processes, points }
    if (isDead || stopped) {
      process = next()
      continue
    }
    // One whose instant has come is not worth leaving for.
    if (!idle || (idle.dueAt !== null && idle.dueAt <= env.now())) {
      process.idle = null
      await env.moveTo(env.now() + STEP_MS)
      continue
    }
    process.idle = null
    const isComing = idle.dueAt !== null
    if (whenIdle === 'comesBack') process.run.goAway()
    if (whenIdle === 'isReplayed') process.kill()
    if (isComing) await env.moveTo(Math.max(env.now(), idle.dueAt ?? 0))
    else if (options.onStuck) options.onStuck(shelf)
    else throw new Error('The run waits for nothing that comes by itself')
    if (whenIdle === 'isReplayed') process = next()
    else {
      if (!isComing || whenIdle === 'comesBack') process.run.hear(shelf.news)
      process.run.comeBack()
    }
  }
  throw new Error(`The run does not come to its end: ${JSON.stringify(shelf.history)}`)
}

/** A process that has begun, and has come as far as it can without the clock. */
export async function begin(code: Code, shelf = new Shelf(), options: ProcessOptions = {}): Promise<Process> {
  const process = new Process(shelf, code, options)
  process.begin()
  await settle(process)
  return process
}

/** Lets it come as far as it can without the clock. */
export async function settle({ shelf }: Process): Promise<void> {
  for (let turns = 0; turns < 5; turns += 1) await shelf.env.settle()
}

/** As the store takes an end: one that is being cancelled ends as nothing else. */
function isAccepted(stop: RunStop, { cancellation }: Shelf): boolean {
  if (stop.kind === 'suspended' || stop.kind === 'lost') return false
  return !cancellation || stop.kind === 'diverged' || (stop.kind === 'failure' && stop.status === 'CANCELLED')
}
