import { inBoth } from '../../language/language.ts'
import type { ReasonCode } from './reasons.ts'

/** What a sentence about a reason may name. */
export interface ReasonFacts {
  readonly reason: string | null
  readonly until: string
  readonly since: string
  readonly next: string
  readonly calendar: string
  readonly queue: string
  readonly cap: string
  readonly retryAt: string
  readonly error: string
  readonly missed: string
  readonly cause: string
}

type Sentences = Readonly<Record<ReasonCode, (facts: ReasonFacts) => string>>

interface Texts {
  readonly reasons: Sentences
  /** What to do about it. */
  readonly steps: Readonly<Partial<Record<ReasonCode, string>>>
}

export const reasonTexts = inBoth<Texts>({
  'pt-BR': {
    reasons: {
      deleted: () => 'O job foi deletado: não executa mais.',
      disabled: ({ reason }) =>
        `O job está desabilitado${reason === null ? '' : ` (${reason})`}: não dispara nem pode ser executado.`,
      pendingApproval: () => 'O job espera a aprovação de uma segunda pessoa.',
      paused: ({ reason }) =>
        `O job está pausado${reason === null ? '' : ` (${reason})`}: não dispara até alguém retomar.`,
      pausedUntil: ({ reason, until }) =>
        `O job está pausado${reason === null ? '' : ` (${reason})`}: volta sozinho em ${until}.`,
      faulted: ({ since, error }) =>
        `O job está em falha desde ${since} e não dispara até alguém retomar. Erro: ${error}`,
      suspended: () => 'O agendamento está suspenso para todos: a funcionalidade JOBS_SCHEDULING está desligada.',
      neverAgain: () => 'O gatilho terminou: não há próxima ocorrência.',
      typeUnknown: () => 'Nenhum worker ativo conhece o tipo deste job.',
      noNodes: () => 'Nenhum worker está ativo: nada executa.',
      queueUnserved: ({ queue }) => `Nenhum worker ativo atende a fila "${queue}".`,
      retryWaits: ({ retryAt, error }) =>
        `Uma execução falhou e espera a próxima tentativa, em ${retryAt}. Erro: ${error}`,
      cap: ({ cap }) => `Uma execução espera na fila: o limite de ${cap} execuções ao mesmo tempo foi atingido.`,
      busy: () => 'Uma execução espera na fila: todos os workers estão ocupados.',
      overlapSkips: () => 'A execução anterior ainda não terminou; enquanto isso as ocorrências são puladas.',
      overlapWaits: () => 'A execução anterior ainda não terminou; a próxima espera por ela.',
      lastFailed: ({ error }) => `Executou, mas falhou: ${error}`,
      madeUp: ({ missed, cause }) =>
        `Uma execução recente compensou ${missed} ocorrência(s) perdida(s); causa: ${cause}.`,
      calendar: ({ calendar }) => `O calendário "${calendar}" exclui alguns horários.`,
      fine: ({ next }) => `Nada impede o job de executar. Próxima execução: ${next}.`,
    },
    steps: {
      disabled: 'Habilite o job no menu de ações.',
      pendingApproval: 'Peça a aprovação.',
      paused: 'Retome o job.',
      pausedUntil: 'Retome antes, se preciso.',
      faulted: 'Veja a última falha, corrija a causa e retome.',
      suspended: 'Ligue a funcionalidade nas configurações.',
      neverAgain: 'Edite o agendamento.',
      typeUnknown: 'Inicie um worker com a versão que tem este tipo.',
      noNodes: 'Veja os workers.',
      queueUnserved: 'Inicie um worker para esta fila.',
      retryWaits: 'Veja a execução.',
      cap: 'Espere, ou aumente o limite nas configurações.',
      busy: 'Espere, ou inicie mais workers.',
      overlapSkips: 'Veja o que ainda executa.',
      overlapWaits: 'Veja o que ainda executa.',
      lastFailed: 'Veja a execução.',
      madeUp: 'Veja a execução.',
      calendar: 'Veja o calendário.',
    },
  },
  en: {
    reasons: {
      deleted: () => 'The job was deleted: it runs no more.',
      disabled: ({ reason }) =>
        `The job is disabled${reason === null ? '' : ` (${reason})`}: it neither fires nor can be run.`,
      pendingApproval: () => 'The job waits for the approval of a second person.',
      paused: ({ reason }) =>
        `The job is paused${reason === null ? '' : ` (${reason})`}: it does not fire until somebody resumes it.`,
      pausedUntil: ({ reason, until }) =>
        `The job is paused${reason === null ? '' : ` (${reason})`}: it resumes by itself at ${until}.`,
      faulted: ({ since, error }) =>
        `The job is faulted since ${since} and does not fire until somebody resumes it. Error: ${error}`,
      suspended: () => 'Scheduling is suspended for everything: the feature JOBS_SCHEDULING is switched off.',
      neverAgain: () => 'Its trigger is done: there is no next occurrence.',
      typeUnknown: () => 'No living worker knows the type of this job.',
      noNodes: () => 'No worker is alive: nothing runs.',
      queueUnserved: ({ queue }) => `No living worker serves the queue "${queue}".`,
      retryWaits: ({ retryAt, error }) =>
        `An execution failed and waits for its next attempt, at ${retryAt}. Error: ${error}`,
      cap: ({ cap }) => `An execution waits in the queue: the limit of ${cap} at once is reached.`,
      busy: () => 'An execution waits in the queue: all workers are busy.',
      overlapSkips: () => 'The run before has not ended; occurrences are skipped meanwhile.',
      overlapWaits: () => 'The run before has not ended; the next one waits for it.',
      lastFailed: ({ error }) => `It did run, but failed: ${error}`,
      madeUp: ({ missed, cause }) => `A recent run made up for ${missed} missed occurrence(s); cause: ${cause}.`,
      calendar: ({ calendar }) => `The calendar "${calendar}" leaves out some times.`,
      fine: ({ next }) => `Nothing keeps the job from running. Next run: ${next}.`,
    },
    steps: {
      disabled: 'Enable it in the menu of actions.',
      pendingApproval: 'Ask for the approval.',
      paused: 'Resume the job.',
      pausedUntil: 'Resume it earlier if need be.',
      faulted: 'Look at the last failure, mend the cause, and resume it.',
      suspended: 'Switch the feature on in the settings.',
      neverAgain: 'Edit the schedule.',
      typeUnknown: 'Start a worker with the version that has this type.',
      noNodes: 'Look at the workers.',
      queueUnserved: 'Start a worker for this queue.',
      retryWaits: 'Look at the execution.',
      cap: 'Wait, or raise the limit in the settings.',
      busy: 'Wait, or start more workers.',
      overlapSkips: 'Look at what still runs.',
      overlapWaits: 'Look at what still runs.',
      lastFailed: 'Look at the execution.',
      madeUp: 'Look at the execution.',
      calendar: 'Look at the calendar.',
    },
  },
})
