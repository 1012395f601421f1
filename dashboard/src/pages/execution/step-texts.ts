import { inBoth } from '../../language/language.ts'

/** What is said of the steps of a durable execution. */
export const stepTexts = inBoth({
  'pt-BR': {
    waterfall: {
      view: 'Como ver as etapas',
      views: { diagram: 'Diagrama', table: 'Tabela' },
      zoom: 'Período',
      zooms: { fit: 'Tudo', minute: 'Último minuto' },
      label: 'Etapas da execução',
      tableLabel: 'Etapas da execução, em tabela',
      step: 'Etapa',
      kind: 'Tipo',
      status: 'Status',
      startedAt: 'Início',
      endedAt: 'Fim',
      dueAt: 'Prazo',
      duration: 'Duração',
      attempts: 'Tentativas',
      source: 'Executada ou reproduzida',
      child: 'Execução filha',
      details: 'Último heartbeat',
      tries: (count: number) => `${count} tentativas`,
      executed: 'executada',
      takenOver: 'herdada',
      replayed: (count: number) => `reproduzida ${count}×`,
      nextAttempt: 'próxima tentativa',
      due: 'até',
      legend: {
        work: 'Em execução ou concluída',
        wait: 'Espera',
        failed: 'Falhou',
        replayed: 'Reproduzida do histórico',
        now: 'Agora',
      },
      beforeAxis: 'antes do período',
      afterAxis: 'depois do período',
      kinds: {
        activity: 'Atividade',
        compensation: 'Compensação',
        transaction: 'Transação',
        timer: 'Timer',
        signal: 'Sinal',
        start: 'Início de filha',
        child: 'Espera por filha',
        checkpoint: 'Checkpoint',
        patch: 'Patch',
        input: 'Nova entrada',
        cancellation: 'Cancelamento',
      },
      statuses: { RUNNING: 'Em andamento', WAITING: 'Esperando', COMPLETED: 'Concluída', FAILED: 'Falhou' },
    },
    restart: {
      button: 'Reiniciar a partir daqui',
      title: (name: string) => `Reiniciar a partir de ${name}?`,
      kept: (count: number) =>
        count === 0
          ? 'Nada é mantido: a execução recomeça do início.'
          : count === 1
            ? '1 etapa é mantida; o resultado dela não é refeito:'
            : `${count} etapas são mantidas; os resultados delas não são refeitos:`,
      again: (count: number) =>
        count === 1
          ? '1 etapa registrada é refeita, e tudo o que vier depois:'
          : `${count} etapas registradas são refeitas, e tudo o que vier depois:`,
      effects:
        'O que essas etapas fizeram fora daqui (e-mails, pagamentos) acontece outra vez. Sinais já recebidos a partir daqui não voltam: envie-os de novo.',
      asNew: 'Será uma execução nova; esta fica como está.',
      asSame: 'Esta mesma execução continua.',
      confirm: 'Reiniciar',
      more: (count: number) => `e mais ${count}`,
    },
  },
  en: {
    waterfall: {
      view: 'How to see the steps',
      views: { diagram: 'Diagram', table: 'Table' },
      zoom: 'Period',
      zooms: { fit: 'All of it', minute: 'Last minute' },
      label: 'Steps of the execution',
      tableLabel: 'Steps of the execution, as a table',
      step: 'Step',
      kind: 'Kind',
      status: 'Status',
      startedAt: 'Start',
      endedAt: 'End',
      dueAt: 'Due',
      duration: 'Duration',
      attempts: 'Attempts',
      source: 'Executed or replayed',
      child: 'Child execution',
      details: 'Last heartbeat',
      tries: (count: number) => `${count} attempts`,
      executed: 'executed',
      takenOver: 'taken over',
      replayed: (count: number) => `replayed ${count}×`,
      nextAttempt: 'next attempt',
      due: 'until',
      legend: {
        work: 'Running or done',
        wait: 'Waiting',
        failed: 'Failed',
        replayed: 'Replayed from the history',
        now: 'Now',
      },
      beforeAxis: 'before the period',
      afterAxis: 'after the period',
      kinds: {
        activity: 'Activity',
        compensation: 'Compensation',
        transaction: 'Transaction',
        timer: 'Timer',
        signal: 'Signal',
        start: 'Start of a child',
        child: 'Wait for a child',
        checkpoint: 'Checkpoint',
        patch: 'Patch',
        input: 'New input',
        cancellation: 'Cancellation',
      },
      statuses: { RUNNING: 'Running', WAITING: 'Waiting', COMPLETED: 'Done', FAILED: 'Failed' },
    },
    restart: {
      button: 'Restart from here',
      title: (name: string) => `Restart from ${name}?`,
      kept: (count: number) =>
        count === 0
          ? 'Nothing is kept: the execution begins from its start.'
          : count === 1
            ? '1 step is kept; it is not done again:'
            : `${count} steps are kept; they are not done again:`,
      again: (count: number) =>
        count === 1
          ? '1 recorded step is done again, and all that follows:'
          : `${count} recorded steps are done again, and all that follows:`,
      effects:
        'What these steps did elsewhere (mails, payments) happens once more. Signals that were taken from here on do not come back: send them again.',
      asNew: 'It will be a new execution; this one stays as it is.',
      asSame: 'This same execution goes on.',
      confirm: 'Restart',
      more: (count: number) => `and ${count} more`,
    },
  },
})
