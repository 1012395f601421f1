import { useSignal } from '@preact/signals'
import { useQuery } from '@tanstack/preact-query'
import { Link } from 'wouter-preact'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import type { ApprovalView, JobView } from '../../api/wire.ts'
import { Answer } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Facts } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { ApprovalDiff } from './approval-diff.tsx'
import { Decision } from './decision.tsx'
import { approvalTexts } from './texts.ts'

interface RequestProps {
  readonly job: JobView
  readonly onDone: () => void
}

/** What is asked for, as it was when it was opened: it does not change under the eyes of whoever reads it. */
export function Request({ job, onDone }: RequestProps) {
  const texts = approvalTexts.value
  const version = useSignal(job.version)
  const isStale = useSignal(false)
  const approval = useQuery<ApprovalView, Error>({
    // Asked for after the version was read: what it tells is that version, or a later one, which is then refused.
    queryKey: ['approval', job.id, version.value],
    queryFn: ({ signal }) => ask<ApprovalView>(`jobs/${job.id}/approval`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    meta: { isLive: false },
  })
  // The list may know of an earlier one still.
  const isChanged = isStale.value || job.version > version.value
  const showNow = useCommand({
    run: () => ask<JobView>(`jobs/${job.id}`),
    onDone: (now) => {
      isStale.value = false
      version.value = now.version
    },
  })
  return (
    <div class="stack approval-request">
      {isChanged && (
        <div class="approval-changed" role="alert">
          <Icon name="warning" />
          <p>{texts.changed}</p>
          <Button isSmall icon="retry" isBusy={showNow.isPending} onClick={() => showNow.mutate()}>
            {texts.showNow}
          </Button>
        </div>
      )}
      <Answer query={approval}>
        {(found) => (
          <>
            <Facts
              facts={[
                [
                  texts.job,
                  <Link key="job" href={`/${job.id}`}>
                    {job.name}
                  </Link>,
                ],
                [texts.requestedBy, found.requestedBy ?? texts.byCode],
                [texts.requestedAt, <Time key="at" at={found.requestedAt} as="both" />],
                [texts.jobType, job.jobType],
              ]}
            />
            <ApprovalDiff approval={found} />
          </>
        )}
      </Answer>
      {approval.data && !isChanged && (
        <Decision job={job} version={version.value} onDone={onDone} onStale={() => (isStale.value = true)} />
      )}
    </div>
  )
}
