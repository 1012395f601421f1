import { z } from 'zod'
import { cutText } from '../../../errors.ts'
import { type Facts, inCases, type Sentence } from '../../facts.ts'
import { textOf, type ZodIssue } from '../../zod-issue.ts'
import { allOf, anyOf, called, fieldIn, received, suggestion } from '../names.ts'
import { jobs } from '../texts.ts'

const { localeError: inPortuguese } = z.locales.pt()

const LONGEST = 200

/** Zod speaks the Portuguese of Portugal; these words are others in Brazil. */
const IN_BRAZIL: readonly (readonly [RegExp, string])[] = [
  [/^Demasiado grande/, 'Grande demais'],
  [/^Demasiado pequeno/, 'Pequeno demais'],
  [/\bum vetor\b/g, 'uma lista'],
  [/\bo vetor\b/g, 'a lista'],
  [/\btuplo\b/g, 'lista'],
  [/\bregisto\b/g, 'objeto'],
  [/\bficheiro\b/g, 'arquivo'],
  [/"undefined"/g, 'ausente'],
  [/\besperava que\b/g, 'esperava-se que'],
  [/\besperava (?!-)/gi, 'esperado '],
  [/, recebeu\b/g, ', recebido'],
]

/** What Zod says about a value, in Portuguese. */
export function zodSentence(issue: unknown): string {
  const found = (issue ?? {}) as ZodIssue
  const { path = [], input } = found
  if (path.length === 1 && path[0] === 'timeoutMinutes' && input === null) return jobs.validation.timeoutRequired
  const text = textOf(inPortuguese(found))
  // It may name what was sent.
  return cutText(`${IN_BRAZIL.reduce((said, [pattern, word]) => said.replace(pattern, word), text)}.`, LONGEST)
}

const { validation, messages } = jobs

/** What RF-112 says word for word where a field of a job is missing. */
const REQUIRED: Readonly<Record<string, string>> = {
  name: validation.nameRequired,
  cronExpression: validation.cronRequired,
  timeoutMinutes: validation.timeoutRequired,
}

const AS_TEXT = 'O que está entre aspas é procurado como texto.'

/** About single fields of what was sent. */
export const fields = {
  body_forbidden: (facts) => `Uma requisição ${facts.of('method')} não tem corpo.`,
  calendar_unknown: (facts) => `Não existe o calendário "${facts.of('calendar')}".`,
  characters_forbidden: (facts) =>
    `${fieldIn(facts)} não pode ter caracteres de controle, de direção ou de largura zero, recebido ${received(facts)}.`,
  contradiction: inCases(
    {
      zones: (facts) => `O gatilho está em ${facts.list('zones')[0]}, mas o fuso horário é ${facts.list('zones')[1]}.`,
    },
    (facts) => `Informe apenas um destes campos: ${anyOf(facts.list('names'))}.`,
  ),
  cron_invalid: (facts) => `${messages.error.invalidCron}: deve ser texto, recebido ${received(facts)}.`,
  cron_unsatisfiable: (facts) => `A expressão CRON ${facts.quoted('expression')} não dispara mais a partir de agora.`,
  duplicate_key: () => 'O nome aparece duas vezes.',
  duplicate_parameter: () => 'O parâmetro aparece duas vezes.',
  durable: () =>
    'Um job durável não é repetido por inteiro: cada uma de suas atividades tem as próprias retentativas. Omita retryCount.',
  'expected.id': () => 'Deve ser um id, que é um UUID.',
  'expected.instant': () => 'Deve ser um instante RFC 3339 com fuso, como 2026-01-31T09:00:00Z.',
  'expected.instant_since_1970': () => 'Deve ser um instante de 1970 ou posterior.',
  'expected.integer': (facts) => `Deve ser um número inteiro de ${facts.of('min')} a ${facts.of('max')}.`,
  'expected.length': (facts) => `Deve ter de ${facts.of('min')} a ${facts.of('max')} caracteres.`,
  forbidden_key: () => 'O nome não é aceito.',
  format_invalid: inCases(
    {
      address: (facts) => `${fieldIn(facts)} deve ser um endereço de e-mail como "ana@example.com".`,
      control: () => 'Caracteres de controle não são aceitos.',
      secret: (facts) =>
        `O segredo de um webhook deve ter de ${facts.of('min')} a ${facts.of('max')} letras, dígitos e sinais ASCII, sem espaços.`,
      sought: (facts) => `${fieldIn(facts)} deve ser texto de no máximo ${facts.of('max')} caracteres, sem NUL.`,
    },
    (facts) => `${fieldIn(facts)} tem um formato que não é aceito.`,
  ),
  header_forbidden: inCases(
    {
      form: (facts) =>
        `O cabeçalho ${facts.quoted('header')} deve ter um nome de letras, dígitos e hifens, e um valor de uma só linha.`,
      length: (facts) => `O cabeçalho ${facts.quoted('header')} deve ter no máximo ${facts.of('max')} caracteres.`,
      connection: (facts) => `O cabeçalho ${facts.quoted('header')} é definido pela conexão.`,
      key: (facts) =>
        `O cabeçalho ${facts.quoted('header')} contém uma chave de API deste serviço, que não pode sair daqui.`,
    },
    (facts) => `O cabeçalho ${facts.quoted('header')} não pode ser definido.`,
  ),
  invalid_cursor: () => 'O cursor não é um que esta lista deu para esta consulta; comece sem cursor.',
  job_type_unknown: (facts) => `Não existe o tipo de job "${facts.of('jobType')}".${suggestion(facts)}`,
  json_too_deep: (facts) => `Mais profundo do que ${facts.of('max')} níveis.`,
  key_too_long: (facts) => `Mais longo do que ${facts.of('max')} caracteres.`,
  length_invalid: inCases(
    {
      items: (facts) => `${fieldIn(facts)}: no máximo ${facts.of('max')} itens, recebidos ${facts.of('length')}.`,
      json: (facts) =>
        `${fieldIn(facts)} deve ter no máximo ${facts.of('max')} caracteres como JSON, recebidos ${facts.of('length')}.`,
    },
    lengthOf,
  ),
  lone_surrogate: () => 'Metade de um par substituto (surrogate).',
  never_fires: () => 'O gatilho não dispara mais a partir de agora.',
  nul_character: () => 'O caractere U+0000 não pode ser armazenado.',
  number_out_of_range: () => 'Além de 2^53 - 1; envie como texto.',
  out_of_range: inCases(
    {
      none: (facts) => `${fieldIn(facts)} deve ser null: este alerta não tem limite, recebido ${received(facts)}.`,
      past: (facts) => `${fieldIn(facts)} deve estar no futuro.`,
      order: () => 'O fim não pode vir antes do início.',
      year: () => 'Uma parada de mais de um ano não é simulada.',
      days: (facts) => `O fim deve vir no máximo ${facts.of('max')} dias depois do início.`,
    },
    rangeOf,
  ),
  'payload.invalid': () => 'O payload não é válido.',
  'payload.too_large': (facts) =>
    `${called(facts.of('thing'))} deve ter no máximo ${facts.of('maxBytes')} bytes. Guarde os dados em outro lugar e envie uma referência.`,
  'payload.unstorable': (facts) => `${called(facts.of('thing'))} contém algo que não pode ser armazenado.`,
  program_forbidden: (facts) => `Não é um dos programas que podem ser executados: ${facts.of('programs')}.`,
  nul_forbidden: () => 'Não pode conter NUL.',
  read_only_field: inCases(
    {
      calendar: () => 'Um calendário mantém seu nome: ele está no caminho.',
      rule: () => 'Uma regra mantém seu tipo, seu nível e seu nome.',
    },
    readOnly,
  ),
  required: (facts) => {
    const name = facts.has('name') ? facts.of('name') : facts.of('field')
    if (Object.hasOwn(REQUIRED, name)) return REQUIRED[name] ?? ''
    const other = facts.has('or') ? `, ou ${anyOf(facts.list('or'))} em seu lugar` : ''
    return `${called(name)}: campo obrigatório${other}.`
  },
  /** What Zod says about a value. */
  schema: (facts) => zodSentence(facts.raw('issue')),
  search_invalid: inCases(
    {
      key: (facts) =>
        `Não existe a chave de busca ${received(facts)}; existem ${allOf(facts.list('accepted'))}.${suggestion(facts)} ${AS_TEXT}`,
      value: (facts) =>
        `${facts.of('key')}: deve ser ${anyOf(facts.list('accepted'))}, recebido ${received(facts)}. ${AS_TEXT}`,
      instant: (facts) =>
        `${facts.of('key')}: deve ser uma duração como 2d, 12h ou 30m, uma data como 2026-01-31 ou um instante como 2026-01-31T09:00:00Z, recebido ${received(facts)}. ${AS_TEXT}`,
    },
    (facts) => `${facts.of('key')}: falta o valor logo depois dos dois-pontos. ${AS_TEXT}`,
  ),
  seconds_not_allowed: () =>
    'Dispararia mais de uma vez por minuto, o que as configurações deste cliente não permitem.',
  sensitive_type: (facts) =>
    `O tipo de job "${facts.of('jobType')}" é sensível: seus jobs sempre precisam de aprovação.`,
  status_not_alone: () => 'Altere o status sozinho, e os outros campos em outra requisição.',
  surrounding_space: (facts) =>
    `${fieldIn(facts)} não pode começar nem terminar com espaço, recebido ${received(facts)}.`,
  target_forbidden: inCases(
    {
      length: (facts) => `A URL deve ter no máximo ${facts.of('max')} caracteres, recebidos ${facts.of('length')}.`,
      relative: () => 'A URL deve ser absoluta, como https://example.com/caminho.',
      protocol: (facts) => `A URL deve começar com https:// ou http://, recebido ${received(facts)}.`,
      credentials: () => 'A URL não pode conter usuário nem senha.',
      port: (facts) => `A porta ${facts.of('port')} não é permitida; são permitidas ${allOf(facts.list('ports'))}.`,
      host: (facts) => `O host ${facts.quoted('host')} não é um dos permitidos.`,
      private: (facts) => `O host ${facts.quoted('host')} não é público.`,
    },
    () => 'Este destino não é permitido.',
  ),
  too_many: (facts) => `Pode haver no máximo ${facts.of('max')} cabeçalhos.`,
  too_many_keys: (facts) => `Mais de ${facts.of('max')} nomes.`,
  type_invalid: (facts) => {
    const isNoTimeout = facts.is('name', 'timeoutMinutes') && facts.raw('received') === null
    if (isNoTimeout) return validation.timeoutRequired
    return `${fieldIn(facts)} deve ser ${kindOf(facts.of('kind'))}, recebido ${received(facts)}.`
  },
  unknown_field: (facts) => `Este campo não existe.${suggestion(facts)}`,
  unknown_parameter: (facts) => `Este parâmetro não existe.${suggestion(facts)}`,
  validation_failed: (facts) => {
    const [count, named] = [Number(facts.of('count')), Number(facts.of('named'))]
    const rest = count > named ? `, dos quais os primeiros ${named} são citados` : ''
    return count === 1 ? '1 campo é inválido.' : `${count} campos são inválidos${rest}.`
  },
  value_unknown: inCases(
    {
      permissions: (facts) => `O perfil ${facts.of('profile')} não tem a permissão ${anyOf(facts.list('strange'))}.`,
      webhook: (facts) =>
        `Não existe o webhook ${received(facts)}, ou ele foi enviado duas vezes; um novo é enviado sem id.`,
    },
    (facts) => `${fieldIn(facts)} tem um valor que não é aceito.`,
  ),
  zone_misplaced: (facts) =>
    `Um gatilho do tipo ${facts.of('trigger')} não tem fuso horário próprio; defina-o dentro do gatilho.`,
  zone_unknown: (facts) => `Fuso horário deve ser um nome IANA, recebido ${received(facts)}.`,
} satisfies Record<string, Sentence>

const KINDS: Readonly<Record<string, string>> = {
  text: 'texto',
  'a whole number': 'um número inteiro',
  'true or false': 'true ou false',
  'a list': 'uma lista',
  'an object': 'um objeto',
}

function kindOf(kind: string): string {
  return KINDS[kind] ?? 'de outro tipo'
}

function lengthOf(facts: Facts): string {
  if (facts.is('name', 'name') && facts.is('min', 3)) return validation.nameMinLength
  if (facts.has('min')) return `${fieldIn(facts)} deve ter pelo menos ${facts.of('min')} caracteres`
  return `${fieldIn(facts)} deve ter no máximo ${facts.of('max')} caracteres, recebidos ${facts.of('length')}.`
}

function rangeOf(facts: Facts): string {
  const isTimeout = facts.is('name', 'timeoutMinutes')
  if (isTimeout && facts.is('min', 5)) return validation.timeoutMinValue
  if (isTimeout && facts.is('max', 240)) return validation.timeoutMaxValue
  const bound = facts.has('min') ? `no mínimo ${facts.of('min')}` : `no máximo ${facts.of('max')}`
  return `${fieldIn(facts)} deve ser ${bound}, recebido ${received(facts)}.`
}

function readOnly(facts: Facts): string {
  if (facts.is('name', 'jobType')) return 'O tipo de um job não pode ser alterado; crie outro job.'
  if (facts.is('name', 'status')) {
    return 'O status pode ser alterado para DISABLED, e de volta para ACTIVE; para o resto existem ações.'
  }
  return 'Este campo não pode ser definido. Pode ser enviado de volta como foi lido.'
}
