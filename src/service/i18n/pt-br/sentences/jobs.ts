import type { JobVerb } from '../../../../job/job-status.ts'
import { formatInstant } from '../../../../time/instant.ts'
import { type Facts, inCases, type Sentence } from '../../facts.ts'
import { anyOf, received, suggestion } from '../names.ts'
import { jobs as texts } from '../texts.ts'

const { error } = texts.messages

/** About jobs, their executions and what else a tenant has. */
export const jobs = {
  'job_type.not_enqueueable': (facts) =>
    `O tipo de job "${facts.of('jobType')}" não é declarado enfileirável: declare-o com enqueueable: true, ou indique um dos seus jobs com jobId ou jobName.`,
  'job_type.sensitive': (facts) =>
    `O tipo de job "${facts.of('jobType')}" é sensível, ou um job sensível o usa: ele só executa como um job que uma segunda pessoa aprovou. Indique esse job com jobId ou jobName.`,
  'job_type.unknown': (facts) => `Nenhum nó ativo conhece o tipo de job "${facts.of('jobType')}".${suggestion(facts)}`,
  'calendar.in_use': (facts) =>
    `O calendário "${facts.of('calendar')}" é usado por jobs: ${facts.of('jobs')}. Atribua outro calendário a eles primeiro.`,
  'calendar.unknown': (facts) =>
    `O job "${facts.of('job')}" usa o calendário "${facts.of('calendar')}", que não existe.`,
  'execution.not_durable': (facts) => `A execução "${facts.of('executionId')}" não é de um job durável.`,
  'execution.predecessor_unknown': (facts) => `A execução anterior "${facts.of('predecessorId')}" não existe.`,
  'execution.run_at_past': (facts) =>
    `runAt não pode estar mais de um minuto no passado, recebido ${instant(facts, 'runAt')}; agora são ${instant(facts, 'now')}. Omita runAt para executar imediatamente.`,
  'execution.status_conflict': (facts) =>
    `A execução "${facts.of('executionId')}" está em ${facts.of('status')}; ${needOf(facts.of('need'))}.`,
  'execution.unknown': (facts) => `Execução "${facts.of('executionId')}" não encontrada.`,
  'flag.off': (facts) => `O dashboard está desabilitado: flag ${facts.of('flag')}.`,
  'flag.provided': (facts) =>
    `A flag ${facts.of('flag')} é decidida pelo provedor de flags que este serviço segue; altere-a lá.`,
  'job.always_sensitive': (facts) =>
    `Jobs do tipo "${facts.of('jobType')}" sempre precisam da aprovação de uma segunda pessoa; isso não pode ser desligado.`,
  'job.changed_meanwhile': (facts) =>
    `O job "${facts.of('job')}" foi alterado por outra pessoa ao mesmo tempo; consulte-o novamente.`,
  'job.contended': (facts) => `O job "${facts.of('job')}" foi alterado por outros repetidas vezes; tente novamente.`,
  'job.declared_in_code': (facts) =>
    `O job "${facts.of('job')}" é declarado no código, que o conhece pelo nome; ele não pode ser renomeado.`,
  'job.in_past': (facts) =>
    `O job "${facts.of('job')}" não pode executar em ${instant(facts, 'at')}, que já passou; agora são ${instant(facts, 'now')}.`,
  'job.name_taken': () => error.nameAlreadyExists,
  'job.never_fires': (facts) =>
    facts.has('calendar')
      ? `O job "${facts.of('job')}" nunca dispararia: o calendário "${facts.of('calendar')}" exclui todos os seus horários.`
      : `O job "${facts.of('job')}" nunca dispararia: o seu gatilho não tem nenhum horário.`,
  'job.not_approved': (facts) =>
    `O job "${facts.of('job')}" precisa que uma segunda pessoa aprove o que ele é agora, antes de executar.`,
  'job.nothing_to_retry': () => 'Nenhuma execução deste job falhou nem esgotou o tempo.',
  'job.pause_in_past': (facts) =>
    `O job "${facts.of('job')}" não pode ser pausado até ${instant(facts, 'until')}, que já passou; agora são ${instant(facts, 'now')}.`,
  'job.payload_not_approved': (facts) =>
    `O job "${facts.of('job')}" é sensível: só executa com o payload que foi aprovado.`,
  'job.status_conflict': inCases(
    {
      nobodyAsked: (facts) =>
        `O job "${facts.of('job')}" está em ${facts.of('status')}; só depois de habilitado pode deixar de precisar de aprovação.`,
    },
    (facts) =>
      `O job "${facts.of('job')}" está em ${facts.of('status')}; para ${verbOf(facts.of('verb'))} precisa estar em ${anyOf(facts.list('accepted'))}.`,
  ),
  'job.unknown': () => error.jobNotFound,
  'signal.unknown': (facts) => {
    const accepted = facts.list('accepted')
    const known = accepted.length === 0 ? 'ele não declara nenhum' : `os sinais dele são ${accepted.join(', ')}`
    return `O tipo de job "${facts.of('jobType')}" não declara o sinal ${received(facts)}; ${known}.${suggestion(facts)}`
  },
  not_found: inCases(
    {
      path: (facts) => `Não há nada neste caminho; ${facts.of('prefix')}/api/jobs/openapi.json diz o que existe.`,
      sessions: () => 'Este servidor não mantém sessões.',
      archived: (facts) => `A execução "${facts.of('id')}" está no arquivo: peça com archived=true.`,
      notOfJob: (facts) => `A execução "${facts.of('executionId')}" não é do job "${facts.of('jobId')}".`,
    },
    (facts) => missing(facts),
  ),
  'concurrency.over_maximum': (facts) =>
    `concurrency deve ser no máximo ${facts.of('maximum')}, recebido ${facts.of('received')}. O operador do serviço define este máximo.`,
  self_approval_forbidden: inCases(
    {
      nobodyApproves: () => 'Não se sabe quem aprovaria.',
      nobodyDecided: () => 'Não se sabe quem decidiu sobre o job, e por isso ninguém pode ser a segunda pessoa.',
      ownSettings: () => 'O Admin que pediu esta alteração não pode aprová-la; um segundo Admin precisa aprovar.',
    },
    () => 'Quem decidiu sobre o que seria executado não pode aprovar; é preciso uma segunda pessoa.',
  ),
  'settings.contended': () => 'As configurações foram alteradas por outros repetidas vezes; tente novamente.',
  'settings.nothing_pending': () => 'Nenhuma alteração das regras de aprovação espera aprovação.',
  stale_version: inCases({}, (facts) => {
    if (facts.is('kind', 'tag'))
      return 'Isto foi alterado depois de lido: nenhuma versão tem esta etiqueta de entidade.'
    const versions = `a versão atual é ${facts.of('version')}, e não ${facts.of('expected')}`
    if (facts.is('kind', 'job')) return `O job "${facts.of('name')}" foi alterado: ${versions}. Leia-o novamente.`
    return `As configurações foram alteradas: ${versions}. Leia-as novamente.`
  }),
} satisfies Record<string, Sentence>

const VERBS: Readonly<Record<JobVerb, string>> = {
  update: 'alterar',
  delete: 'deletar',
  pause: 'pausar',
  resume: 'retomar',
  execute: 'executar',
  approve: 'aprovar',
  reject: 'rejeitar',
  disable: 'desabilitar',
  enable: 'habilitar',
}

function verbOf(verb: string): string {
  return VERBS[verb as JobVerb] ?? verb
}

const NEEDS: Readonly<Record<string, string>> = {
  retry: 'para ser repetida precisa estar em FAILED, TIMEOUT ou CANCELLED',
  signal: 'só uma que não terminou recebe sinais',
  erase: 'só uma que terminou pode ser apagada',
  restart: 'para recomeçar precisa ter terminado, ou estar em DIVERGED',
  resume: 'para ser retomada precisa estar em DIVERGED',
  cancel: 'só uma que não terminou pode ser cancelada',
}

function needOf(need: string): string {
  return NEEDS[need] ?? 'isso não é possível agora'
}

function instant(facts: Facts, name: string): string {
  const at = facts.raw(name)
  return typeof at === 'number' ? formatInstant(at) : 'momento nenhum'
}

function missing(facts: Facts): string {
  switch (facts.of('kind')) {
    case 'job':
      return error.jobNotFound
    case 'execution':
      return `Execução "${facts.of('id')}" não encontrada.`
    case 'apiKey':
      return `Chave de API "${facts.of('id')}" não encontrada.`
    case 'flag':
      return `Flag "${facts.of('id')}" não encontrada.`
    case 'calendar':
      return `Calendário "${facts.of('id')}" não encontrado.`
    default:
      return 'Não há nada aqui.'
  }
}
