import { describe, expect, it } from 'vitest'
import type { DeclaredSchedule } from '../../../src/job/schedule-options.ts'
import { job } from '../../../src/job/type/job-type.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { cron, type MisfirePolicy } from '../../../src/time.ts'
import { Gate } from './gate.ts'
import { occurrencesOf, type Recording, recording, sums } from './observed.ts'
import { type Process, Processes, type ProcessOptions } from './processes.ts'
import { RecordedEvents } from './recorded.ts'

const MINUTE = 60_000
const HALF = '30s'

type Schedule = Partial<DeclaredSchedule<undefined>>

function minutely(schedule: Schedule = {}): Recording {
  return recording('tick', { trigger: cron('* * * * *', { timeZone: 'UTC' }), ...schedule })
}

/** The store of a process stops right after it has fired: the execution is queued, and no node can claim it. */
function stopAsItFires(nodes: readonly Process[]): void {
  for (const { link } of nodes) {
    link.intercept = (verb, send) => {
      if (verb === 'occurrences.fire') for (const each of nodes) each.link.isAway = true
      return send()
    }
  }
}

function isBack({ link }: Process): void {
  link.intercept = null
  link.isAway = false
}

/** One node; its store stops as 00:01 fires, and is back at 00:04:30. */
async function outageOf(all: Processes, tick: Recording, options: ProcessOptions = {}): Promise<Process> {
  const node = await all.node({ jobs: [tick.type], ...options })
  await all.pass(HALF)
  stopAsItFires([node])
  await all.pass('4m')
  expect(tick.runs).toEqual([])
  isBack(node)
  await all.pass('5s')
  return node
}

async function ledgerOf(all: Processes, { app }: Process): Promise<string[]> {
  return sums(await app.ledger('tick', 0, all.now() + MINUTE))
}

/** Scenarios in which an execution is queued while no node can claim it, on any store. */
export function describeQueuedOutage(store: () => StoreSource): void {
  describe('an occurrence that is queued as the store stops for minutes', () => {
    it.each<[MisfirePolicy, string[], string[]]>([
      ['fireNow', ['00:01'], ['1 firedLate 00:01 outage', '3 consolidated 00:02-00:04 outage']],
      ['fireOnce', ['00:04'], ['3 consolidated 00:01-00:03 outage', '1 firedLate 00:04 outage']],
      ['fireAll', ['00:01', '00:02', '00:03', '00:04'], ['4 firedLate 00:01-00:04 outage']],
      ['skipToNext', [], ['4 skipped 00:01-00:04 outage']],
    ])('is missed by the outage as those after it are: %s runs %j', async (policy, occurrences, ledger) => {
      await using all = new Processes(store())
      using events = new RecordedEvents()
      const tick = minutely({ misfire: { policy } })
      const node = await outageOf(all, tick, policy === 'fireAll' ? { node: { slots: 1 } } : {})
      expect(occurrencesOf(tick)).toEqual(occurrences)
      expect(await ledgerOf(all, node)).toEqual(ledger)
      expect(new Set(tick.runs.map(({ misfire }) => misfire?.cause))).toEqual(
        new Set(occurrences.length > 0 ? ['outage'] : []),
      )
      const misfires = events.of('job.misfired').map(({ cause }) => cause)
      expect(new Set(misfires)).toEqual(new Set(['outage']))
      await all.pass('1m')
      expect(occurrencesOf(tick).slice(occurrences.length)).toEqual(['00:05'])
      expect(tick.runs.at(-1)?.misfire).toBeNull()
    })

    it('follows the policy for outages, and not the one for overload', async () => {
      await using all = new Processes(store())
      const causes = { outage: 'skipToNext', overload: 'fireAll' } as const
      const tick = minutely({ misfire: { causes } })
      const node = await outageOf(all, tick)
      expect(await ledgerOf(all, node)).toEqual(['4 skipped 00:01-00:04 outage'])
    })

    it('is logged with its cause', async () => {
      await using all = new Processes(store())
      const node = await outageOf(all, minutely({ misfire: { policy: 'skipToNext' } }))
      const misfired = node.log.of('job.misfired')
      expect(misfired.map(({ fields }) => fields['cause'])).toEqual(['outage', 'outage'])
      expect(misfired.reduce((sum, { fields }) => sum + Number(fields['missed']), 0)).toBe(4)
    })

    it.each(['queue', 'replace', 'skip'] as const)('under overlap %j none is recorded as overload', async (overlap) => {
      await using all = new Processes(store())
      const tick = minutely({ overlap, misfire: { policy: 'fireNow' } })
      const node = await outageOf(all, tick)
      await all.pass('10s')
      const ledger = await ledgerOf(all, node)
      expect(ledger.filter((line) => line.includes('overload'))).toEqual([])
      expect(ledger.some((line) => line.endsWith('outage'))).toBe(true)
      expect(tick.runs.length).toBeGreaterThan(0)
    })

    it('is missed by the outage also where a node that was started meanwhile claims it', async () => {
      await using all = new Processes(store())
      const tick = minutely({ misfire: { policy: 'fireNow' } })
      const first = await all.node({ jobs: [tick.type] })
      await all.pass(HALF)
      stopAsItFires([first])
      await all.pass('2m')
      first.freeze()
      await all.pass('2m')
      const second = await all.node({ jobs: [tick.type] })
      await all.pass('5s')
      expect(occurrencesOf(tick)).toEqual(['00:01'])
      expect(await ledgerOf(all, second)).toEqual(['1 firedLate 00:01 outage', '3 consolidated 00:02-00:04 outage'])
    })

    it('is missed by the outage if every node lost the store', async () => {
      await using all = new Processes(store())
      const tick = minutely({ misfire: { policy: 'fireNow' } })
      const nodes = [await all.node({ jobs: [tick.type] }), await all.node({ jobs: [tick.type] })]
      await all.pass(HALF)
      stopAsItFires(nodes)
      await all.pass('4m')
      for (const node of nodes) isBack(node)
      await all.pass('5s')
      expect(occurrencesOf(tick)).toEqual(['00:01'])
      expect(await ledgerOf(all, nodes[0] as Process)).toEqual([
        '1 firedLate 00:01 outage',
        '3 consolidated 00:02-00:04 outage',
      ])
    })
  })

  describe('an occurrence that waits for a slot', () => {
    /** The only slot is taken until the gate opens. */
    async function busyNode(all: Processes, tick: Recording): Promise<{ node: Process; busy: Gate }> {
      const busy = new Gate()
      const hog = job('hog', { retry: { retries: 0 }, run: () => busy.opened })
      const node = await all.node({ jobs: [tick.type, hog], node: { slots: 1 } })
      await node.app.enqueue(hog)
      await all.pass(HALF)
      return { node, busy }
    }

    it('is overload, though another node lost the store for that time', async () => {
      await using all = new Processes(store())
      const tick = minutely({ misfire: { policy: 'skipToNext' } })
      const alone = await all.node({ jobs: [tick.type] })
      const { node, busy } = await busyNode(all, tick)
      alone.link.isAway = true
      await all.pass('3m')
      isBack(alone)
      await all.pass('3s')
      busy.open()
      await all.pass('3s')
      expect(await ledgerOf(all, node)).toEqual(['2 skipped 00:01-00:02 overload', '1 fired 00:03'])
    })

    it('is overload if it waited longer than the threshold while nodes were active', async () => {
      await using all = new Processes(store())
      const tick = minutely({ misfire: { policy: 'fireAll' } })
      const { node, busy } = await busyNode(all, tick)
      await all.pass('3m')
      // 00:01 has waited for two and a half minutes by now, 00:03 for half a minute.
      node.link.isAway = true
      await all.pass('3m')
      busy.open()
      isBack(node)
      await all.pass('10s')
      expect(await ledgerOf(all, node)).toEqual(['2 firedLate 00:01-00:02 overload', '4 firedLate 00:03-00:06 outage'])
    })

    it('is an outage if it did so while no node ran', async () => {
      await using all = new Processes(store())
      const tick = minutely({ misfire: { policy: 'fireNow' } })
      const { node, busy } = await busyNode(all, tick)
      await all.pass('55s')
      busy.open()
      node.freeze()
      await all.pass('3m')
      const second = await all.node({ jobs: [tick.type] })
      await all.pass('5s')
      expect(await ledgerOf(all, second)).toEqual(['1 firedLate 00:01 outage', '3 consolidated 00:02-00:04 outage'])
    })

    it('is an outage if its node was stopped and another started later', async () => {
      await using all = new Processes(store())
      const tick = minutely({ misfire: { policy: 'skipToNext' } })
      const { node, busy } = await busyNode(all, tick)
      await all.pass('45s')
      const stopped = node.app.stop()
      busy.open()
      await all.until(stopped)
      await all.pass('3m')
      const second = await all.node({ jobs: [tick.type] })
      await all.pass('5s')
      expect(await ledgerOf(all, second)).toEqual(['4 skipped 00:01-00:04 outage'])
    })

    it('is on time if only an outage shorter than the threshold kept it', async () => {
      await using all = new Processes(store())
      const tick = minutely({ misfire: { policy: 'skipToNext' } })
      const node = await all.node({ jobs: [tick.type] })
      await all.pass(HALF)
      stopAsItFires([node])
      await all.pass('1m')
      isBack(node)
      await all.pass('20s')
      expect(occurrencesOf(tick)).toEqual(['00:01'])
      expect(await ledgerOf(all, node)).toEqual(['1 fired 00:01'])
    })

    it('is an outage also if its threshold is a few seconds', async () => {
      await using all = new Processes(store())
      const tick = minutely({ misfire: { policy: 'fireNow', threshold: '5s' } })
      const node = await all.node({ jobs: [tick.type] })
      await all.pass(HALF)
      stopAsItFires([node])
      await all.pass('42s')
      isBack(node)
      await all.pass('5s')
      expect(await ledgerOf(all, node)).toEqual(['1 firedLate 00:01 outage'])
    })
  })
}
