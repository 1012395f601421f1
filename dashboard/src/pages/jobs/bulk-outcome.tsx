import { Link } from 'wouter-preact'
import { Table } from '../../parts/table.tsx'
import type { BulkProgress } from './bulk.ts'
import { bulkTexts } from './bulk-texts.ts'

interface BulkOutcomeProps {
  /** What is done. */
  readonly name: string
  readonly progress: BulkProgress
  readonly total: number
  readonly isEnded: boolean
}

/** How far it has come or how it ended, with what failed and why. */
export function BulkOutcome({ name, progress, total, isEnded }: BulkOutcomeProps) {
  const texts = bulkTexts.value
  const { seen, done, failed } = progress
  // More may match by now than were counted.
  const all = Math.max(total, seen)
  return (
    <>
      <div class="bulk-progress">
        <progress aria-label={name} max={all} value={seen} />
        <span class="number">{texts.progress(seen, all)}</span>
      </div>
      <p role="status">
        {isEnded && seen < all && `${texts.stopped(seen, all)} `}
        {isEnded ? texts.done(done, failed.length) : texts.progress(seen, all)}
      </p>
      {failed.length > 0 && (
        <section>
          <h3>{texts.failures}</h3>
          <Table
            label={texts.failures}
            rows={failed}
            rowKey={({ id }) => id}
            columns={[
              { key: 'job', title: texts.job, cell: ({ id, name: job }) => <Link href={`/${id}`}>{job ?? id}</Link> },
              { key: 'why', title: texts.why, cell: ({ message }) => message },
            ]}
          />
        </section>
      )}
    </>
  )
}
