import './workers.css'
import { useAnswer } from '../../api/questions.ts'
import type { WorkersView } from '../../api/wire.ts'
import { frameTexts } from '../../frame/texts.ts'
import { number } from '../../language/format.ts'
import { counters } from '../../live/live.ts'
import { Answer } from '../../parts/answer.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Figure, Page, Section } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { NodeTable } from './node-table.tsx'
import { type QueueRow, queuesOf } from './queues.ts'
import { workersTexts } from './texts.ts'

/** Nodes say that they are alive every few seconds. */
const EVERY_MS = 5_000

/** Who runs executions, and what waits for them. */
export function Workers() {
  const texts = workersTexts.value
  const workers = useAnswer<WorkersView>('jobs/workers', { everyMs: EVERY_MS })
  return (
    <Page title={frameTexts.value.pages.workers} lead={texts.lead}>
      <Answer query={workers} lines={8}>
        {(answer) => <Shown workers={answer} />}
      </Answer>
    </Page>
  )
}

function Shown({ workers }: { readonly workers: WorkersView }) {
  const texts = workersTexts.value
  const rows = queuesOf(workers)
  return (
    <>
      {!workers.nodes.some(({ isAlive }) => isAlive) && <NoneAlive />}
      {hasFewSlots(workers) && <FewSlots />}
      <Figures workers={workers} />
      <Section title={texts.nodes}>
        {workers.nodes.length === 0 ? <p class="muted">{texts.noNodes}</p> : <NodeTable nodes={workers.nodes} />}
      </Section>
      <Section title={texts.queues}>
        {rows.length === 0 ? <p class="muted">{texts.noQueues}</p> : <QueueTable rows={rows} />}
      </Section>
    </>
  )
}

function NoneAlive() {
  const texts = workersTexts.value
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{texts.none}</strong>
        <p>{texts.noneText}</p>
      </div>
    </div>
  )
}

/** One tenant can take all slots of a node but those in reserve. */
function hasFewSlots({ nodes, cap }: WorkersView): boolean {
  return cap !== null && nodes.some(({ isAlive, slots }) => isAlive && slots <= cap)
}

function FewSlots() {
  const texts = workersTexts.value
  return (
    <div class="problem" role="status">
      <Icon name="warning" />
      <div>
        <strong>{texts.fewSlots}</strong>
        <p>{texts.fewSlotsText}</p>
      </div>
    </div>
  )
}

function Figures({ workers }: { readonly workers: WorkersView }) {
  const texts = workersTexts.value
  const { nodes, cap } = workers
  const alive = nodes.filter(({ isAlive }) => isAlive)
  const sum = (of: 'running' | 'slots') => alive.reduce((total, node) => total + node[of], 0)
  const running = counters.value?.workersUsed ?? workers.running
  const isFull = cap !== null && running >= cap
  return (
    <dl class="figures compact" aria-label={texts.figures}>
      <Figure name={texts.alive} note={texts.ofNodes(nodes.length)} {...(alive.length === 0 ? { tone: 'bad' } : {})}>
        {number(alive.length)}
      </Figure>
      <Figure name={texts.slots} note={texts.slotsNote}>
        {number(sum('running'))} / {number(sum('slots'))}
      </Figure>
      <Figure name={texts.own} {...(isFull ? { tone: 'warn', note: texts.capReached } : {})}>
        {number(running)} / {cap === null ? texts.noCap : number(cap)}
      </Figure>
      <Figure name={texts.queued}>{number(counters.value?.queued ?? workers.queued)}</Figure>
    </dl>
  )
}

/** What waits in each queue, and whether anybody takes from it. */
function QueueTable({ rows }: { readonly rows: readonly QueueRow[] }) {
  const texts = workersTexts.value
  const columns: readonly Column<QueueRow>[] = [
    { key: 'queue', title: texts.queue, cell: ({ queue }) => <strong>{queue}</strong> },
    { key: 'depth', title: texts.depth, isNumber: true, cell: ({ queued }) => number(queued) },
    {
      key: 'servers',
      title: texts.servedBy,
      cell: ({ servers }) => (servers > 0 ? texts.servers(servers) : <Unserved />),
    },
  ]
  return <Table label={texts.queues} columns={columns} rows={rows} rowKey={({ queue }) => queue} />
}

function Unserved() {
  const texts = workersTexts.value
  return (
    <span class="worker-unserved">
      <strong>
        <Icon name="warning" size={16} /> {texts.unserved}.
      </strong>{' '}
      {texts.unservedText}
    </span>
  )
}
