import { number } from '../../language/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import type { QueueRow } from './queues.ts'
import { workersTexts } from './texts.ts'

/** What waits in each queue, and whether anybody takes from it. */
export function QueueTable({ rows }: { readonly rows: readonly QueueRow[] }) {
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
