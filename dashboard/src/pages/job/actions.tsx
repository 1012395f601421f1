import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import type { CancelAnswer, JobMore, JobView } from '../../api/wire.ts'
import { jobTexts } from '../../language/job-texts.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { JobVerbDialog } from '../../parts/job-verb-dialog.tsx'
import { doVerb, verbsFor } from '../../parts/job-verbs.ts'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { isAdmin, may } from '../../session/session.ts'
import { RunDialog } from './run-dialog.tsx'
import { jobPageTexts } from './texts.ts'

type Asked = 'run' | 'pause' | 'delete' | 'cancel' | null

/** What can be done with the job as it stands. */
export function Actions({ job }: { readonly job: JobView & JobMore }) {
  const { actions } = jobTexts.value
  const [asked, setAsked] = useState<Asked>(null)
  const [, go] = useLocation()
  const resume = useCommand({ run: () => doVerb(job, 'resume'), done: (text) => text })
  const verbs = verbsFor(job)
  const close = () => setAsked(null)
  const items = useMenuItems(job, setAsked)
  if (job.status === 'DELETED') return null
  return (
    <>
      {verbs.includes('execute') && (
        <Button tone="primary" icon="play" needs="jobs:execute" onClick={() => setAsked('run')}>
          {actions.execute}
        </Button>
      )}
      {verbs.includes('resume') && (
        <Button icon="retry" needs="jobs:pause" isBusy={resume.isPending} onClick={() => resume.mutate()}>
          {actions.resume}
        </Button>
      )}
      {verbs.includes('pause') && (
        <Button icon="pause" needs="jobs:pause" onClick={() => setAsked('pause')}>
          {actions.pause}
        </Button>
      )}
      {may('jobs:update') && (
        <ButtonLink href={`/${job.id}/edit`} icon="edit">
          {actions.edit}
        </ButtonLink>
      )}
      <Menu label={jobPageTexts.value.actions.more} items={items} />
      {asked === 'run' && <RunDialog job={job} onClose={close} />}
      {asked === 'pause' && <JobVerbDialog job={job} verb="pause" onClose={close} />}
      {asked === 'delete' && <JobVerbDialog job={job} verb="delete" onClose={close} onDone={() => go('/list')} />}
      {asked === 'cancel' && <CancelDialog job={job} onClose={close} />}
    </>
  )
}

/** What is done less often. */
function useMenuItems(job: JobView & JobMore, onAsk: (asked: Asked) => void): readonly MenuItem[] {
  const texts = jobPageTexts.value
  const retry = useCommand({
    run: () => ask(`jobs/${job.id}/retry`, { method: 'POST' }),
    done: texts.retried,
  })
  const turn = useCommand<'ACTIVE' | 'DISABLED'>({
    run: (status) => ask(`jobs/${job.id}`, { method: 'PUT', body: { status }, version: job.version }),
    done: (_, status) => (status === 'ACTIVE' ? texts.enabled : texts.disabled),
  })
  const isOff = job.status === 'DISABLED'
  const { duplicate, cancel, disable, enable, audit } = texts.actions
  return [
    { key: 'duplicate', name: duplicate, icon: 'copy', needs: 'jobs:create', href: `/new?from=${job.id}` },
    ...(job.statistics.lastFailure === null || isOff
      ? []
      : [
          {
            key: 'retry',
            name: texts.actions.retry,
            icon: 'retry',
            needs: 'jobs:execute',
            onChoose: () => retry.mutate(),
          } as const,
        ]),
    { key: 'cancel', name: cancel, icon: 'stop', needs: 'jobs:execute', onChoose: () => onAsk('cancel') },
    {
      key: 'turn',
      name: isOff ? enable : disable,
      icon: isOff ? 'check' : 'close',
      needs: 'jobs:update',
      onChoose: () => turn.mutate(isOff ? 'ACTIVE' : 'DISABLED'),
    },
    ...(isAdmin() ? [{ key: 'audit', name: audit, icon: 'audit', href: `/audit?jobId=${job.id}` } as const] : []),
    {
      key: 'delete',
      name: jobTexts.value.actions.delete,
      icon: 'trash',
      needs: 'jobs:delete',
      isDanger: true,
      onChoose: () => onAsk('delete'),
    },
  ]
}

function CancelDialog({ job, onClose }: { readonly job: JobView; readonly onClose: () => void }) {
  const texts = jobPageTexts.value
  const command = useCommand<void, CancelAnswer>({
    run: () => ask<CancelAnswer>(`jobs/${job.id}/cancel`, { method: 'POST', body: {} }),
    done: ({ cancelled, cancelling }) => texts.cancelled(cancelled.length + cancelling.length),
    onDone: onClose,
  })
  return (
    <Confirm
      title={texts.cancelTitle(job.name)}
      confirm={texts.actions.cancel}
      isDanger
      isBusy={command.isPending}
      onConfirm={() => command.mutate()}
      onClose={onClose}
    >
      <p>{texts.cancelText}</p>
    </Confirm>
  )
}
