import { allowsVerb } from '../../../src/job/job-status.ts'
import { ask } from '../api/ask.ts'
import type { ExecuteAnswer, JobView, Permission } from '../api/wire.ts'
import { jobTexts } from '../language/job-texts.ts'
import { inBoth } from '../language/language.ts'
import type { IconName } from './icon.tsx'

/** What is done to a job as it stands, or to many at once. */
export type JobVerb = 'execute' | 'pause' | 'resume' | 'delete'

export const JOB_VERBS: readonly JobVerb[] = ['execute', 'pause', 'resume', 'delete']

export const VERB_ICONS: Readonly<Record<JobVerb, IconName>> = {
  execute: 'play',
  pause: 'pause',
  resume: 'retry',
  delete: 'trash',
}

export const VERB_PERMISSIONS: Readonly<Record<JobVerb, Permission>> = {
  execute: 'jobs:execute',
  pause: 'jobs:pause',
  resume: 'jobs:pause',
  delete: 'jobs:delete',
}

const verbTexts = inBoth({
  'pt-BR': {
    paused: 'Job pausado',
    resumed: 'Job retomado',
    suspended: 'O agendamento está suspenso: a execução espera na fila.',
  },
  en: {
    paused: 'Job paused',
    resumed: 'Job resumed',
    suspended: 'Scheduling is suspended: the execution waits in the queue.',
  },
})

export function verbName(verb: JobVerb): string {
  return jobTexts.value.actions[verb]
}

/** The verbs that a job takes as it stands: any other would be a conflict. */
export function verbsFor({ status }: Pick<JobView, 'status'>): readonly JobVerb[] {
  return JOB_VERBS.filter((verb) => allowsVerb(status, verb))
}

interface PauseFields {
  readonly reason?: string | undefined
  /** RFC 3339. */
  readonly until?: string | undefined
}

/** Does it, and answers with what is to be said about it. */
export async function doVerb(job: Pick<JobView, 'id'>, verb: JobVerb, given: PauseFields = {}): Promise<string> {
  const { success, error } = jobTexts.value.messages
  switch (verb) {
    case 'execute': {
      const { notice } = await ask<ExecuteAnswer>(`jobs/${job.id}/execute`, { method: 'POST' })
      if (notice === 'maxWorkersExceeded') return `${success.executed} · ${error.maxWorkersExceeded}`
      return notice === 'suspended' ? verbTexts.value.suspended : success.executed
    }
    case 'pause':
      await ask(`jobs/${job.id}/pause`, { method: 'POST', body: given })
      return verbTexts.value.paused
    case 'resume':
      await ask(`jobs/${job.id}/resume`, { method: 'POST' })
      return verbTexts.value.resumed
    case 'delete':
      await ask(`jobs/${job.id}`, { method: 'DELETE' })
      return success.deleted
  }
}
