import type { AlertKind } from '../../../store/alerts.ts'

const number = (value: number) => value.toLocaleString('pt-BR', { maximumFractionDigits: 1 })
const percent = (share: number) => `${number(share * 100)}%`
const gigabytes = (bytes: number) => `${number(bytes / 2 ** 30)} GB`

/** What people are told of an alert: what it is called, what was measured, and what to do. Of `jobFailed` there are no figures. */
export const alerts: Readonly<
  Record<
    AlertKind,
    {
      readonly name: string
      readonly describe: (value: number, threshold: number) => string
      readonly action: string
    }
  >
> = {
  jobFailed: {
    name: 'Job Falhado',
    describe: () => 'O job falhou depois de todas as tentativas.',
    action: 'Abra um ticket, corrija a causa e execute o job novamente.',
  },
  workersSaturated: {
    name: 'Worker Pool Saturado',
    describe: (value, threshold) => `${number(value)} workers ativos; o limite é ${number(threshold)}.`,
    action: 'Considere aumentar a capacidade.',
  },
  queueCongested: {
    name: 'Fila Congestionada',
    describe: (value, threshold) => `${number(value)} jobs em fila; o limite é ${number(threshold)}.`,
    action: 'Investigue workers lentos.',
  },
  timeoutsFrequent: {
    name: 'Timeout Frequente',
    describe: (value, threshold) =>
      `${percent(value)} das tentativas da última hora excederam o timeout; o limite é ${percent(threshold)}.`,
    action: 'Aumente o timeout ou otimize o job.',
  },
  schedulerUnavailable: {
    name: 'Scheduler Indisponível',
    describe: (value) => `Nenhum nó ativo há ${number(Math.floor(value))} segundos: nenhum job é executado.`,
    action: 'Acione o engenheiro de plantão.',
  },
  auditFull: {
    name: 'Auditoria Cheia',
    describe: (value, threshold) =>
      `Os logs de auditoria deste mês ocupam ${gigabytes(value)}; o limite é ${gigabytes(threshold)}.`,
    action: 'O arquivamento foi iniciado; verifique o que gera tantos registros.',
  },
}
