/** What people are told by mail. */
export const mail = {
  subjects: {
    jobFailed: (job: string) => `Falha no job ${job}`,
    alertOpened: (alert: string) => `Alerta: ${alert}`,
    alertClosed: (alert: string) => `Alerta encerrado: ${alert}`,
    schedulerUnavailable: 'O agendador está indisponível',
    scheduleRefused: (job: string) => `O agendamento do job ${job} foi recusado`,
    approvalRulesPending: 'Uma alteração das regras de aprovação espera um segundo Admin',
    approvalRulesLoosened: 'As regras de aprovação foram afrouxadas',
    test: 'Mensagem de teste',
    digest: (count: number) => `${count} notificações`,
  },
  intros: {
    jobFailed: 'Uma execução falhou definitivamente: não haverá nova tentativa automática.',
    alertOpened: 'Uma condição que é observada foi atingida.',
    alertClosed: 'A condição deixou de existir.',
    schedulerUnavailable: 'Nenhum nó está ativo: nada é disparado e nada é executado.',
    scheduleRefused: 'O job não foi disparado, porque quem o agendou não tem mais permissão.',
    approvalRulesPending:
      'Um Admin quer afrouxar uma regra de aprovação. A regra atual vale até que um segundo Admin aprove a alteração.',
    approvalRulesLoosened:
      'A partir de agora é preciso menos aprovação do que antes. Qualquer Admin pode restaurar a regra na hora.',
    test: 'Se você recebeu esta mensagem, as notificações deste cliente funcionam.',
    digest: (count: number, listed: number) =>
      count > listed ? `Aconteceram ${count}; as primeiras ${listed} são listadas.` : `Aconteceram ${count}.`,
  },
  labels: {
    job: 'Job',
    jobType: 'Tipo de job',
    failedAt: 'Momento da falha',
    at: 'Momento',
    error: 'Erro',
    action: 'Ação recomendada',
    attempts: 'Tentativas',
    execution: 'Execução',
    alert: 'Alerta',
    value: 'Valor medido',
    rule: 'Regra',
    requestedBy: 'Pedido por',
    decidedBy: 'Aprovado por',
    link: 'Abrir no Pontual',
  },
  rules: { allowsSelfApproval: 'Quem agenda um job sensível pode aprová-lo' },
  /** By what kind of thing went wrong. */
  actions: {
    timeout:
      'A execução passou do tempo permitido. Verifique o que a deteve (serviço lento, bloqueio, volume maior) e aumente o timeout do job se a demora é normal.',
    network:
      'Um serviço não foi alcançado. Verifique endereço, DNS, firewall e se o serviço está no ar; depois repita a execução.',
    permission:
      'O acesso foi negado. Verifique credenciais, permissões e prazos de validade usados pelo job; depois repita a execução.',
    validation:
      'Os dados não foram aceitos. Corrija o payload ou a configuração do job; repetir sem corrigir falhará de novo.',
    crash:
      'O processo terminou ou ficou sem memória. Verifique o consumo de memória e o volume de dados; divida o trabalho ou aumente o limite.',
    lost: 'O nó que executava o job parou de responder. Verifique se o processo ou a máquina foi encerrada; depois repita a execução.',
    undecryptable:
      'Os dados guardados não puderam ser decifrados. Verifique as chaves de criptografia configuradas em todos os nós; não remova chaves em uso.',
    unknown: 'Consulte os logs da execução, corrija a causa e repita a execução.',
  },
  unknownJob: 'que não existe mais',
  erased: 'apagado',
  footer: 'Você recebe esta mensagem porque seu endereço está nas configurações de notificação deste cliente.',
}
