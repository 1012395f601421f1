import { useSignal } from '@preact/signals'
import type { SettingsView } from '../../../../src/service/administration/store-settings.ts'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import { Problem } from '../../api/problem.ts'
import { ProblemBox } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { Section } from '../../parts/page.tsx'
import { RejectDialog, rejectName } from '../../parts/reject-dialog.tsx'
import { Time } from '../../parts/time.tsx'
import { isAdmin, session } from '../../session/session.ts'
import { settingsTexts } from './texts.ts'

interface PendingRulesProps {
  readonly settings: SettingsView
  readonly onReload: () => void
}

/** A loosening of the approval rules that waits for a second Admin, with both decisions. */
export function PendingRules({ settings: { pending, version }, onReload }: PendingRulesProps) {
  const texts = settingsTexts.value
  const isRejecting = useSignal(false)
  const approve = useCommand({
    run: () => ask<SettingsView>('jobs/settings/approve', { method: 'POST', body: {}, version }),
    done: texts.rulesApproved,
    onDone: onReload,
    showsProblems: true,
  })
  if (pending === null) return null
  const isStale = approve.error instanceof Problem && approve.error.status === 412
  const isOwn = pending.requestedBy === session.value?.userId
  return (
    <Section title={texts.pendingRules}>
      <p>
        {texts.pendingBy(pending.requestedBy)} <Time at={pending.requestedAt} as="both" />
      </p>
      <p>
        <strong>{texts.selfApproval}</strong>
      </p>
      <p class="muted">{texts.pendingHint}</p>
      {isStale && <ProblemBox error={new Error(texts.changed)} onRetry={onReload} />}
      {approve.error && !isStale && <ProblemBox error={approve.error} />}
      {isAdmin() && (
        <div class="row">
          {!isOwn && (
            <Button tone="primary" icon="check" isBusy={approve.isPending} onClick={() => approve.mutate()}>
              {texts.approveRules}
            </Button>
          )}
          <Button tone="danger" icon="close" onClick={() => (isRejecting.value = true)}>
            {rejectName()}
          </Button>
        </div>
      )}
      {isRejecting.value && (
        <RejectDialog
          title={texts.rejectRules}
          text={texts.rejectRulesText}
          path="jobs/settings/reject"
          version={version}
          done={texts.rulesRejected}
          onClose={() => (isRejecting.value = false)}
          onDone={onReload}
          onStale={onReload}
        />
      )}
    </Section>
  )
}
