import type { EntryKind } from '../../../src/job/activity/divergence.ts'
import type { NewEntry } from '../../../src/job/activity/history.ts'
import type { ExecutionStatus } from '../../../src/job/execution/execution.ts'
import type { RunNews } from '../../../src/store/histories.ts'
import type { Held } from '../../../src/store/leases.ts'
import type { EngineStore } from '../../../src/store/store.ts'
import type { Bench } from './bench.ts'
import { begun, item, MISMATCH, NO_PROGRESS } from './durable-entries.ts'
import type { RandomHeld } from './random-commands.ts'
import type { RandomEntry, RunCommand } from './random-run-commands.ts'

/** What a world has and does. */
interface Surroundings {
  readonly bench: () => Bench
  /** Asks all stores the same; fails unless they agree. */
  readonly ask: <Answer>(ask: (store: EngineStore) => Promise<Answer>) => Promise<Answer>
  /** All that was ever claimed, in that order. */
  readonly held: () => readonly Held[]
  readonly pickHeld: (picks: readonly RandomHeld[]) => Held[]
  readonly pickExecution: (which: number) => string | undefined
  /** An execution is there that somebody has stored. */
  readonly remember: (id: string) => void
}

/** The durable executions of a world. */
export class WorldRuns {
  readonly #world: Surroundings
  #durable = new Set<string>()
  #children: string[] = []
  /** The place of the last child that a run has started. */
  #lastStarts = new Map<string, number>()

  constructor(world: Surroundings) {
    this.#world = world
  }

  forget(): void {
    this.#durable = new Set()
    this.#children = []
    this.#lastStarts = new Map()
  }

  add(id: string): void {
    this.#durable.add(id)
  }

  isDurable(id: string): boolean {
    return this.#durable.has(id)
  }

  async do(command: RunCommand): Promise<void> {
    const { ask } = this.#world
    switch (command.verb) {
      case 'record':
        return this.#record(command)
      case 'startChildren':
        return this.#start(command)
      case 'hear':
        return this.#hear(command)
      case 'park': {
        const dueAt = this.#instant(command.dueInMs)
        const items = (await this.#held(command.held)).map((each) => ({ ...each, dueAt }))
        await ask(({ histories }) => histories.park(items))
        return
      }
      case 'diverge': {
        const divergence = command.isMismatch ? MISMATCH : NO_PROGRESS
        const items = (await this.#held(command.held)).map((each) => ({ ...each, divergence }))
        await ask(async ({ histories }) => (await histories.diverge(items)).toSorted())
        return
      }
      case 'resume': {
        const { limit, which } = command
        const filter = which === null ? { jobTypes: ['import'], limit } : { ids: this.#ids(which), limit }
        await ask(({ histories }) => histories.resume(filter))
        return
      }
      case 'wake': {
        const ids = this.#ids(command.which)
        await ask(({ histories }) => histories.wake(ids))
        return
      }
      case 'signal': {
        const idempotencyKey = command.key === null ? null : `key-${command.key}`
        const signals = this.#ids(command.which).map((executionId) => ({
          executionId,
          name: 'go',
          payload: String(this.#world.bench().now),
          idempotencyKey,
        }))
        await ask(({ histories }) => histories.signal(signals))
        return
      }
      case 'continueAs': {
        const entry = begun(0, { kind: 'input', status: 'COMPLETED', input: '1' })
        const items = (await this.#held(command.held)).map((each) => ({ ...each, entry }))
        await ask(async ({ histories }) => (await histories.continueAs(items)).toSorted())
        return
      }
      case 'cut': {
        const diverged = await this.#idsIn('DIVERGED', [...this.#durable])
        const id = pick(diverged, command.which) ?? this.#world.pickExecution(command.which)
        if (id) await ask(({ histories }) => histories.cut(id, command.sequence))
        return
      }
      case 'fork':
        return this.#fork(command)
      case 'checkpoint': {
        const items = this.#world.pickHeld(command.held).map((each) => ({ ...each, state: String(command.state) }))
        await ask(async ({ histories }) => (await histories.checkpoint(items)).toSorted())
        return
      }
    }
  }

  /** Compares all there is of some executions. */
  async read(ids: Iterable<string>): Promise<void> {
    const { ask } = this.#world
    for (const id of ids) {
      await ask(({ histories }) => histories.read(id))
      await ask(({ histories }) => histories.lastCheckpoint(id))
    }
  }

  /** Only durable ones keep a history; those that run, where there are any. */
  async #held(picks: readonly RandomHeld[]): Promise<Held[]> {
    const latest = new Map(this.#world.held().map((each) => [each.executionId, each]))
    const ids = [...latest.keys()].filter((id) => this.#durable.has(id))
    const running = await this.#idsIn('RUNNING', ids)
    const held = picks.flatMap(({ which, epochOff }) => {
      const found = latest.get(pick(running.length > 0 ? running : ids, which) ?? '')
      return found ? [{ ...found, epoch: found.epoch + epochOff }] : []
    })
    return [...new Map(held.map((each) => [each.executionId, each])).values()]
  }

  async #idsIn(status: ExecutionStatus, ids: readonly string[]): Promise<string[]> {
    const found = await this.#world.bench().store.executions.find(ids)
    return found.filter((each) => each.status === status).map(({ id }) => id)
  }

  #ids(which: readonly number[]): string[] {
    const durable = [...this.#durable]
    const picked = which.flatMap((each) => (each % 4 ? pick(durable, each) : this.#world.pickExecution(each)) ?? [])
    return [...new Set(picked)]
  }

  #instant(inMs: number | null): number | null {
    return inMs === null ? null : this.#world.bench().now + inMs
  }

  async #record({ held, entries, takesSignal }: Extract<RunCommand, { verb: 'record' }>): Promise<void> {
    const items = (await this.#held(held)).map((each) =>
      item(each, ...entries.map((entry, index) => this.#entry(entry, index + 1))),
    )
    await this.#world.ask(async ({ histories }) => {
      const [first, ...others] = items
      if (!first) return []
      // Each store has its own numbers for the same signals.
      const [signal] = takesSignal ? ((await histories.news([first]))[0]?.signals ?? []) : []
      return await histories.record([{ ...first, discards: signal ? [signal.id] : [] }, ...others])
    })
  }

  #entry(random: RandomEntry, position: number): NewEntry {
    const { sequence, isSettled, calls, dueInMs, isTimer, child, takesChild } = random
    const kind = KINDS[sequence] ?? random.kind
    const childId = child === null ? null : (this.#children[child % this.#children.length] ?? null)
    return begun(sequence, {
      kind,
      calls,
      childId,
      status: isSettled ? 'COMPLETED' : 'RUNNING',
      position: isSettled ? position : null,
      dueAt: this.#instant(dueInMs),
      ...(isSettled && isTimer && { isTimer }),
      ...(isSettled && takesChild && childId !== null && { takesChild: childId }),
    })
  }

  async #start(command: Extract<RunCommand, { verb: 'startChildren' }>): Promise<void> {
    const { held, isDurable, delayMs } = command
    const { ask, remember } = this.#world
    const items = (await this.#held(held)).map((parent) => {
      const options = isDurable ? { durable: true, parent: parent.executionId } : { parent: parent.executionId }
      const child = this.#world.bench().execution({ options, ...(delayMs !== null && { delayMs }) })
      const sequence = (this.#lastStarts.get(parent.executionId) ?? 0) + 1
      this.#lastStarts.set(parent.executionId, sequence)
      return { ...parent, entries: [begun(sequence, { kind: 'start', childId: child.body.id })], child }
    })
    const answers = await ask(({ histories }) => histories.startChildren(items))
    for (const [index, { child }] of items.entries()) {
      if (!answers[index]) continue
      const { id } = child.body
      this.#children.push(id)
      remember(id)
      if (isDurable) this.add(id)
    }
  }

  async #hear({ held, isLoaded }: Extract<RunCommand, { verb: 'hear' }>): Promise<void> {
    const runs = await this.#held(held)
    await this.#world.ask(async ({ histories }) => {
      const heard = isLoaded ? await histories.load(runs) : await histories.news(runs)
      return heard.map(unnumbered).toSorted((a, b) => (a.executionId < b.executionId ? -1 : 1))
    })
  }

  async #fork({ which, sequence }: Extract<RunCommand, { verb: 'fork' }>): Promise<void> {
    const { ask, remember } = this.#world
    const id = pick([...this.#durable], which)
    if (!id) return
    const forked = this.#world.bench().execution({ options: { durable: true, isForked: true } })
    if (!(await ask(({ histories }) => histories.fork(id, sequence, forked)))) return
    this.add(forked.body.id)
    remember(forked.body.id)
  }
}

function pick<Item>(items: readonly Item[], which: number): Item | undefined {
  return items[which % items.length]
}

/** What has no place among the calls has its own kind. */
const KINDS: Readonly<Record<number, EntryKind>> = { 0: 'input', [-1]: 'cancellation', [-2]: 'patch' }

/** Each store numbers signals in its own way. */
function unnumbered<Heard extends RunNews>(heard: Heard): Heard {
  return { ...heard, signals: heard.signals.map((signal) => ({ ...signal, id: 0 })) }
}
