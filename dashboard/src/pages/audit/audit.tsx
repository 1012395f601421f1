import './audit.css'
import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { withParameters } from '../../api/ask.ts'
import { apiAddress } from '../../api/places.ts'
import { useAnswer, usePages } from '../../api/questions.ts'
import type { AuditEntryView, AuditVerdict } from '../../api/wire.ts'
import { useUrlState } from '../../frame/url-state.ts'
import { number } from '../../language/format.ts'
import { instantOf } from '../../language/wall-time.ts'
import { Answer, Empty } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { More } from '../../parts/more.tsx'
import { Page } from '../../parts/page.tsx'
import { Badge } from '../../parts/status.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { AuditEntry, changedFields } from './audit-entry.tsx'
import { AuditFilters, FILTERS } from './audit-filters.tsx'
import { auditTexts } from './texts.ts'

const AT_ONCE = 50

/** What was done, by whom: to be filtered, exported and verified. */
export function Audit() {
  const texts = auditTexts.value
  const [parameters, setParameters] = useUrlState()
  const shown = useSignal<AuditEntryView | null>(null)
  const [from, to] = ['from', 'to'].map((name) => instantOf(parameters.get(name) ?? ''))
  const filter = {
    ...Object.fromEntries(FILTERS.map((name) => [name, parameters.get(name)])),
    from,
    to,
    archived: parameters.get('archived') === 'true' ? true : null,
  }
  const entries = usePages<AuditEntryView>('jobs/audit-log', { ...filter, limit: AT_ONCE })
  return (
    <Page
      title={texts.title}
      aside={<ChainBadge />}
      lead={texts.lead}
      actions={
        <a class="button" href={apiAddress(withParameters('jobs/audit-log/export', filter))} download>
          <Icon name="download" />
          <span>{texts.export}</span>
        </a>
      }
    >
      <AuditFilters parameters={parameters} onChange={setParameters} />
      <Answer query={entries} lines={10}>
        {() =>
          entries.items.length === 0 ? (
            <Empty icon="audit" title={texts.none} />
          ) : (
            <div class="section">
              <Table
                label={texts.title}
                columns={columns((entry) => (shown.value = entry))}
                rows={entries.items}
                rowKey={({ sequence }) => sequence}
              />
            </div>
          )
        }
      </Answer>
      <More pages={entries} />
      {shown.value && <AuditEntry entry={shown.value} onClose={() => (shown.value = null)} />}
    </Page>
  )
}

function columns(onShow: (entry: AuditEntryView) => void): readonly Column<AuditEntryView>[] {
  const texts = auditTexts.value
  return [
    {
      key: 'sequence',
      title: texts.sequence,
      isNumber: true,
      width: 'narrow',
      cell: ({ sequence }) => number(sequence),
    },
    { key: 'when', title: texts.when, cell: ({ timestamp }) => <Time at={timestamp} /> },
    { key: 'operation', title: texts.operation, cell: ({ operation }) => <code>{operation}</code> },
    { key: 'user', title: texts.user, cell: ({ userId }) => userId ?? <span class="muted">{texts.system}</span> },
    {
      key: 'job',
      title: texts.job,
      cell: ({ jobId, jobName }) =>
        jobId === null ? '–' : <Link href={`/${jobId}`}>{jobName ?? shortId(jobId)}</Link>,
    },
    {
      key: 'execution',
      title: texts.execution,
      isMinor: true,
      cell: ({ executionId }) =>
        executionId === null ? '–' : <Link href={`/executions/${executionId}`}>{shortId(executionId)}</Link>,
    },
    {
      key: 'changes',
      title: texts.changes,
      isMinor: true,
      cell: (entry) => <span class="muted audit-changes">{changedFields(entry).join(', ')}</span>,
    },
    {
      key: 'details',
      title: <span class="visually-hidden">{texts.details}</span>,
      width: 'narrow',
      cell: (entry) => (
        <Button
          isSmall
          tone="quiet"
          icon="right"
          label={texts.entry(number(entry.sequence))}
          onClick={() => onShow(entry)}
        />
      ),
    },
  ]
}

/** Its end: ids of the same moment begin alike. */
function shortId(id: string): string {
  return id.slice(-8)
}

/** Whether nobody has changed what was written, checked hash by hash. Asked for once, and when somebody asks again: it reads the whole log. */
function ChainBadge() {
  const texts = auditTexts.value
  const verdict = useAnswer<AuditVerdict>('jobs/audit-log/verify', { isLive: false })
  if (verdict.isFetching) return <Badge tone="muted">{texts.checking}</Badge>
  if (verdict.error) return <Badge tone="warn">{verdict.error.message}</Badge>
  const { data } = verdict
  if (!data) return null
  return (
    <>
      {data.isIntact ? (
        <Badge tone="good">{texts.intact(number(data.entries), data.entries === 1)}</Badge>
      ) : (
        <>
          <Badge tone="bad">{texts.broken(number(data.sequence))}</Badge>
          <span class="small">{data.reason}</span>
        </>
      )}
      <Button isSmall tone="quiet" icon="retry" label={texts.verify} onClick={() => void verdict.refetch()} />
    </>
  )
}
