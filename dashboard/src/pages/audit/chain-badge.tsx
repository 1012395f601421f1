import { useAnswer } from '../../api/questions.ts'
import type { AuditVerdict } from '../../api/wire.ts'
import { number } from '../../language/format.ts'
import { Button } from '../../parts/button.tsx'
import { Badge } from '../../parts/status.tsx'
import { auditTexts } from './texts.ts'

/** Whether nobody has changed what was written, checked hash by hash. Asked for once, and when somebody asks again: it reads the whole log. */
export function ChainBadge() {
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
