import type { WorkersView } from '../../api/wire.ts'
import { number } from '../../language/format.ts'
import { Badge } from '../../parts/status.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { workersTexts } from './texts.ts'

type Node = WorkersView['nodes'][number]

/** Every process that runs jobs, those that are alive first. */
export function NodeTable({ nodes }: { readonly nodes: readonly Node[] }) {
  const texts = workersTexts.value
  const rows = nodes.toSorted((a, b) => Number(b.isAlive) - Number(a.isAlive) || a.name.localeCompare(b.name))
  const columns: readonly Column<Node>[] = [
    { key: 'name', title: texts.node, cell: ({ name, id }) => <strong title={id}>{name}</strong> },
    { key: 'state', title: texts.state, width: 'narrow', cell: (node) => <State node={node} /> },
    { key: 'slots', title: texts.slots, cell: (node) => <Slots node={node} /> },
    {
      key: 'connections',
      title: texts.connections,
      width: 'narrow',
      isMinor: true,
      cell: ({ connections }) => <span class="number">{connections === null ? '–' : number(connections)}</span>,
    },
    {
      key: 'queues',
      title: texts.queuesOf,
      cell: ({ queues }) => (
        <span class="row">
          {queues.map((queue) => (
            <span class="tag" key={queue}>
              {queue}
            </span>
          ))}
        </span>
      ),
    },
    {
      key: 'since',
      title: texts.since,
      isMinor: true,
      cell: ({ startedAt }) => <Time at={startedAt} hasSeconds={false} />,
    },
    { key: 'seen', title: texts.lastSeen, cell: ({ renewedAt }) => <Time at={renewedAt} as="relative" /> },
  ]
  return <Table label={texts.nodes} columns={columns} rows={rows} rowKey={({ id }) => id} />
}

function State({ node: { isAlive } }: { readonly node: Node }) {
  const texts = workersTexts.value
  if (isAlive) return <Badge tone="good">{texts.isAlive}</Badge>
  return (
    <span title={texts.deadNote}>
      <Badge tone="bad">{texts.isDead}</Badge>
    </span>
  )
}

function Slots({ node: { name, running, slots, isAlive } }: { readonly node: Node }) {
  return (
    <span class="worker-slots">
      {isAlive && (
        <meter value={running} max={slots} aria-label={workersTexts.value.slotsOf(name, running, slots)}>
          {running}
        </meter>
      )}
      <span class="number">
        {number(running)} / {number(slots)}
      </span>
    </span>
  )
}
