import { inCases, type Sentence } from '../../facts.ts'
import { allOf, anyOf, received } from '../names.ts'

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

/** About requests as such: their path, headers and body, and who sends them. */
export const requests = {
  bad_request: () => 'A requisição não é HTTP como deveria ser.',
  body_incomplete: () => 'O corpo não chegou inteiro.',
  body_required: () => 'É necessário um corpo em JSON.',
  csrf: inCases(
    { header: () => 'Uma requisição por sessão que altera algo precisa do cabeçalho X-Pontual-Request.' },
    () =>
      'A requisição vem de outra origem. As páginas são usadas por https, ou por http nesta máquina; atrás de um proxy que muda o host, sessions.publicOrigin (PONTUAL_PUBLIC_ORIGIN) diz o que os navegadores veem.',
  ),
  expectation_failed: () => 'O que o cabeçalho Expect pede não é feito aqui.',
  forbidden: inCases(
    {
      wider: (facts) =>
        `Uma chave não pode fazer mais do que quem a cria, que não tem ${allOf(facts.list('permissions'))}.`,
    },
    (facts) => `Você não tem acesso ${toThing(facts.of('kind'))} "${facts.of('id')}".`,
  ),
  headers_too_large: () => 'Os cabeçalhos são muitos ou longos demais.',
  'idempotency.mismatch': (facts) =>
    `A chave de idempotência "${facts.of('key')}" do tipo de job "${facts.of('jobType')}" já foi usada com outra entrada.`,
  idempotency_key_invalid: () => 'Idempotency-Key deve ter de 1 a 255 caracteres ASCII visíveis, sem espaços.',
  idempotency_key_unsupported: inCases(
    { secret: () => 'Esta resposta contém um segredo: envie a requisição sem Idempotency-Key.' },
    () => 'Este servidor não guarda respostas: envie a requisição sem Idempotency-Key.',
  ),
  idempotency_mismatch: () => 'Esta Idempotency-Key já foi usada em outra requisição.',
  if_match_invalid: () => 'If-Match deve ser uma única etiqueta de entidade, como foi respondida, ou *.',
  in_progress: () => 'Uma requisição com esta Idempotency-Key está em andamento.',
  internal: () => 'Algo deu errado aqui. O trace_id permite encontrá-lo nos registros.',
  invalid_utf8: () => 'O corpo não é UTF-8 válido.',
  json_invalid: () => 'O corpo não é JSON válido.',
  method_not_allowed: (facts) => `Este caminho aceita ${facts.of('allow')}.`,
  not_acceptable: (facts) => `A resposta vem como ${anyOf(facts.list('types'))}.`,
  path_invalid: () => 'O caminho não é texto em UTF-8 com codificação percentual.',
  payload_too_large: (facts) => `O corpo pode ter no máximo ${facts.of('max')} bytes.`,
  rate_limited: inCases(
    { refusals: () => 'Requisições demais com credenciais que não são válidas.' },
    () => 'Requisições demais. Tente novamente mais tarde.',
  ),
  request_timeout: () => 'A requisição demorou demais para chegar.',
  too_many_streams: (facts) => `Um cliente pode ter ${facts.of('limit')} fluxos abertos ao mesmo tempo.`,
  unauthenticated: inCases(
    {
      missing: () => 'É necessário um token, uma chave de API ou uma sessão.',
      two: () => 'Envie apenas um dos cabeçalhos Authorization e X-Api-Key.',
      form: () => 'Authorization deve ser: Bearer, um espaço, e um token ou uma chave de API.',
      expired: () => 'O token expirou.',
      ended: () => 'A sessão terminou.',
    },
    () => 'As credenciais não são válidas.',
  ),
  unavailable: inCases(
    { keys: () => 'As chaves que verificam os tokens não podem ser lidas agora. Tente novamente em instantes.' },
    () => 'O armazenamento não pode ser acessado agora. Tente novamente em instantes.',
  ),
  unsupported_media_type: inCases(
    { encoding: () => 'O corpo deve vir sem Content-Encoding.' },
    () => 'O corpo deve ser JSON em UTF-8, com o cabeçalho Content-Type: application/json.',
  ),
  uri_too_long: () => 'A URL é longa demais.',
  'access.permission_missing': inCases(
    {
      whole: (facts) =>
        `É necessário ter todas as permissões do perfil ${facts.of('profile')}; estas credenciais têm menos.`,
    },
    (facts) => `É necessária a permissão ${allOf(facts.list('permissions'))}.`,
  ),
  'access.profile_missing': (facts) => `É necessário o perfil ${facts.of('profile')}.`,
} satisfies Record<string, Sentence>

function toThing(kind: string): string {
  if (kind === 'job') return 'ao job'
  return kind === 'apiKey' ? 'à chave de API' : 'à execução'
}
