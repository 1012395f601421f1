import { useSignal } from '@preact/signals'
import { useCommand } from '../api/commands.ts'
import type { JobView } from '../api/wire.ts'
import { inBoth } from '../language/language.ts'
import { instantOf } from '../language/wall-time.ts'
import { viewerZone } from '../language/zone.ts'
import { ProblemBox } from './answer.tsx'
import { Confirm } from './dialog.tsx'
import { TextField } from './field.tsx'
import { doVerb, verbName } from './job-verbs.ts'
import { now } from './time.tsx'

const dialogTexts = inBoth({
  'pt-BR': {
    pause: (name: string) => `Pausar ${name}?`,
    pauseText: 'As ocorrências enquanto estiver pausado são registradas como puladas. Ainda é possível executá-lo.',
    reason: 'Motivo',
    reasonHint: 'Fica na auditoria e ao lado do status.',
    until: 'Retomar sozinho em',
    untilHint: (zone: string) => `No fuso ${zone}; vazio: até alguém retomar.`,
    past: 'Informe um momento no futuro',
    delete: (name: string) => `Deletar ${name}?`,
    deleteText: 'Ele não dispara mais e sai da lista; o histórico fica. Não pode ser desfeito.',
  },
  en: {
    pause: (name: string) => `Pause ${name}?`,
    pauseText: 'Occurrences while it is paused are recorded as skipped. It can still be run by hand.',
    reason: 'Reason',
    reasonHint: 'Kept in the audit log and shown beside the status.',
    until: 'Resume by itself at',
    untilHint: (zone: string) => `In ${zone}; empty: until somebody resumes it.`,
    past: 'Enter a moment in the future',
    delete: (name: string) => `Delete ${name}?`,
    deleteText: 'It fires no more and leaves the list; its history stays. This cannot be undone.',
  },
})

interface JobVerbDialogProps {
  readonly job: Pick<JobView, 'id' | 'name'>
  readonly verb: 'pause' | 'delete'
  readonly onClose: () => void
  readonly onDone?: () => void
}

/** Asks once more before a job is paused or deleted, and why; a pause may end by itself. */
export function JobVerbDialog({ job, verb, onClose, onDone }: JobVerbDialogProps) {
  const texts = dialogTexts.value
  const reason = useSignal('')
  const until = useSignal('')
  const isPast = useSignal(false)
  const command = useCommand({
    run: () =>
      doVerb(job, verb, {
        reason: reason.value.trim() || undefined,
        until: instantOf(until.value) ?? undefined,
      }),
    done: (text) => text,
    onDone: () => {
      onClose()
      onDone?.()
    },
    showsProblems: true,
  })
  const confirm = () => {
    const at = instantOf(until.value)
    isPast.value = at !== null && Date.parse(at) <= now.value
    if (!isPast.value) command.mutate()
  }
  return (
    <Confirm
      title={texts[verb](job.name)}
      confirm={verbName(verb)}
      isDanger={verb === 'delete'}
      isBusy={command.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{verb === 'pause' ? texts.pauseText : texts.deleteText}</p>
      {verb === 'pause' && (
        <>
          <TextField
            label={texts.reason}
            hint={texts.reasonHint}
            value={reason.value}
            onInput={(value) => (reason.value = value)}
            more={{ maxLength: 1_000 }}
          />
          <TextField
            label={texts.until}
            hint={texts.untilHint(viewerZone.value)}
            type="datetime-local"
            value={until.value}
            problem={isPast.value ? texts.past : undefined}
            onInput={(value) => {
              until.value = value
              isPast.value = false
            }}
          />
        </>
      )}
      {command.error && <ProblemBox error={command.error} />}
    </Confirm>
  )
}
