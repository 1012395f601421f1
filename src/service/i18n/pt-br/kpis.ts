/** Names and formulas of what is measured. */
export const kpis = {
  names: {
    successRate: 'Taxa de Sucesso de Jobs',
    meanDuration: 'Tempo Médio de Execução',
    retryRate: 'Taxa de Retry',
    workerUtilization: 'Utilização de Workers',
    queueTime: 'Tempo de Fila',
    meanTimeToRecover: 'MTTR (Mean Time To Recover)',
    schedulerAvailability: 'Disponibilidade do Scheduler',
    failureAlertsSent: 'Alertas de Falha Enviados',
  },
  formulas: {
    successRate: 'Execuções bem-sucedidas / (bem-sucedidas + falhadas + com timeout) × 100',
    meanDuration: 'Média da duração da última tentativa das execuções terminadas',
    retryRate: 'Execuções com retry / total de execuções terminadas × 100',
    workerUtilization: 'Tempo ocupado por tentativas / (máximo de workers × janela) × 100',
    queueTime: 'Média de (início da última tentativa − criação ou horário previsto)',
    meanTimeToRecover: 'Média de (próximo sucesso do job − falha que o marcou)',
    schedulerAvailability: 'Minutos com um nó vivo / minutos decorridos × 100',
    failureAlertsSent: 'Falhas notificadas / (falhas finais − falhas cuja notificação está desligada) × 100',
  },
}
