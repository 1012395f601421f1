import { inCases, type Sentence } from '../../facts.ts'
import { received } from '../names.ts'

/** About what is operated beside jobs: alerts, flags, quotas, hidden and erased values. */
export const operations = {
  'alert.not_watched': (facts) => `O alerta ${facts.of('kind')} não é observado para este cliente: ele é do operador.`,
  'cache.key_invalid': (facts) =>
    `Tipo de job "${facts.of('jobType')}": o que decide sobre o resultado em cache contém algo que não pode ser armazenado.`,
  'flag.off': (facts) => `O dashboard está desligado: flag ${facts.of('flag')}.`,
  'flag.provided': (facts) =>
    `A flag ${facts.of('flag')} é decidida pelo provedor de flags que este serviço segue; altere-a lá.`,
  hidden_value: inCases(
    {
      address: (facts) =>
        `O endereço ${received(facts)} de um webhook está mascarado: envie-o inteiro, ou com o id de um webhook deste host.`,
    },
    (facts) => `O valor do cabeçalho ${facts.quoted('header')} está oculto: envie-o novamente.`,
  ),
  payload_erased: () => 'O que estava armazenado aqui foi apagado.',
  payload_undecryptable: (facts) =>
    `O que está armazenado não pode ser decifrado: ${UNREADABLE[facts.of('reason')] ?? 'motivo desconhecido'}.`,
  quota_exceeded: (facts) => {
    const { things, remedy } = QUOTAS[facts.of('kind')] ?? { things: 'itens', remedy: 'remova algum primeiro' }
    return `Há ${facts.of('count')} ${things}, e pode haver ${facts.of('maximum')}; ${remedy}.`
  },
} satisfies Record<string, Sentence>

const UNREADABLE: Readonly<Record<string, string>> = {
  corrupt: 'não é o que foi escrito neste lugar',
  key_unknown: 'a chave com que foi cifrado não é conhecida aqui',
  plaintext: 'não está cifrado, embora tudo deva estar',
}

const QUOTAS: Readonly<Record<string, { readonly things: string; readonly remedy: string }>> = {
  job: { things: 'jobs', remedy: 'delete algum primeiro' },
  frequentJob: { things: 'jobs que disparam mais de uma vez por minuto', remedy: 'delete algum primeiro' },
  queued: { things: 'execuções na fila', remedy: 'tente novamente quando algumas tiverem executado' },
  apiKey: { things: 'chaves de API', remedy: 'revogue alguma primeiro' },
  calendar: { things: 'calendários', remedy: 'remova algum primeiro' },
}
