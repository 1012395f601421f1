import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HistoryEntry } from '../../../src/job/activity/history.ts'
import { type DriveOptions, drive } from './drive.ts'
import { type Program, programs, World } from './program.ts'
import { Process, Shelf } from './shelf.ts'

const RUNS = Number(process.env['PONTUAL_PROVE_PROGRAMS'] ?? 60)

interface Observed {
  readonly shelf: Shelf
  readonly world: World
  readonly stop: unknown
  readonly points: number
  /** Performed again although how it ended had been recorded. */
  readonly repeated: readonly string[]
}

/** Runs a program, and looks at each activity that is performed: it must not be recorded as settled. */
async function observe(program: Program, options: Omit<DriveOptions, 'shelf'>): Promise<Observed> {
  const shelf = new Shelf()
  const repeated: string[] = []
  const world = new WatchedWorld(shelf, repeated)
  const { stop, points } = await drive(world.codeOf(program), { ...options, shelf })
  return { shelf, world, stop, points, repeated }
}

class WatchedWorld extends World {
  readonly #shelf: Shelf
  readonly #repeated: string[]

  constructor(shelf: Shelf, repeated: string[]) {
    super((ms) => new Promise((resolve) => shelf.env.after(ms, resolve)))
    this.#shelf = shelf
    this.#repeated = repeated
  }

  override perform(kind: string, sequence: number): void {
    super.perform(kind, sequence)
    if (this.#shelf.entries.get(sequence)?.position != null) this.#repeated.push(`${kind} ${sequence}`)
  }
}

/** What every run must show, however often it was interrupted. */
async function expectSound(
  { shelf, world, stop, repeated }: Observed,
  program: Program,
  cancelled: boolean,
): Promise<void> {
  expect(repeated).toEqual([])
  expect(stop).toMatchObject({ kind: expect.stringMatching(/success|failure/) as string })
  if (cancelled) expect(stop).toMatchObject({ kind: 'failure', status: 'CANCELLED' })
  for (const [index, trace] of world.traces.slice(1).entries()) {
    const before = world.traces[index] ?? []
    expect(trace.slice(0, before.length)).toEqual(before)
  }
  // One that was undoing already when it was cancelled has nothing in its history that says so.
  if (!cancelled || shelf.entries.has(-1)) await expectReplayed(shelf, program, stop)
}

/** What is recorded gives the same end, the same order, and does nothing that is recorded. */
async function expectReplayed(shelf: Shelf, program: Program, stop: unknown): Promise<void> {
  const { writes, settled } = shelf
  const repeated: string[] = []
  const again = new WatchedWorld(shelf, repeated)
  const last = new Process(shelf, again.codeOf(program))
  last.begin()
  for (let turns = 100; turns > 0 && !last.stopped; turns -= 1) await shelf.env.settle()
  expect(textOf(last.stopped)).toEqual(textOf(stop))
  expect(repeated).toEqual([])
  // A job may end without waiting for what it has begun: of that nothing is recorded.
  if (shelf.history.length === settled.length && settled.length > 0) {
    expect([...again.performed]).toEqual([])
    expect(shelf.writes).toBe(writes)
  }
  expect(orderOf(last)).toEqual(orderOf(settled).slice(0, orderOf(last).length))
}

const orderOf = (from: Process | readonly HistoryEntry[]): number[] =>
  from instanceof Process
    ? from.told.filter(({ event }) => event === 'activity.replayed').map(({ facts }) => facts.sequence)
    : from
        .filter(({ kind }) => kind === 'activity' || kind === 'compensation' || kind === 'transaction')
        .map(({ sequence }) => sequence)

function textOf(stop: unknown): string {
  return JSON.stringify(stop, (_key, value: unknown) => (value instanceof Error ? value.message : value))
}

describe('any durable job', () => {
  it.each(['stays', 'comesBack', 'isReplayed'] as const)(
    'is replayed as it went, where one that waits %s',
    async (whenIdle) => {
      await fc.assert(
        fc.asyncProperty(programs, async (program) => {
          const observed = await observe(program, { whenIdle })
          await expectSound(observed, program, false)
        }),
        { numRuns: RUNS },
      )
    },
  )

  it('goes on where it stopped, wherever its process was killed', async () => {
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const { points } = await observe(program, {})
        for (let killAt = 1; killAt <= points; killAt += 1) {
          await expectSound(await observe(program, { killAt }), program, false)
        }
      }),
      { numRuns: RUNS / 2 },
    )
  })

  it('goes on where it stopped, wherever its node was shut down', async () => {
    await fc.assert(
      fc.asyncProperty(programs, fc.integer({ min: 1, max: 20 }), async (program, suspendAt) => {
        await expectSound(await observe(program, { suspendAt }), program, false)
      }),
      { numRuns: RUNS },
    )
  })

  it('is cancelled, wherever that meets it, and wherever its process is killed then', async () => {
    await fc.assert(
      fc.asyncProperty(
        programs,
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 1, max: 20 }),
        async (program, cancelAfter, killAt) => {
          const observed = await observe(program, { cancelAfter, killAt })
          await expectSound(observed, program, observed.shelf.cancellation !== null)
        },
      ),
      { numRuns: RUNS * 3 },
    )
  })
})
