import { VARIABLES, type Variable } from '../../src/cli/variables.ts'
import { declarationIn } from './declarations.ts'
import { code, type Language, page, prose, table, type Words } from './markdown.ts'

type Listed = readonly (readonly [names: readonly string[], what: Words])[]

/** Variables of `pontual start` that `pontual dev` reads too. */
export const OF_DEV = [
  'PONTUAL_PORT',
  'PONTUAL_LOG',
  'PONTUAL_DASHBOARD',
  'PONTUAL_SMTP_URL',
  'PONTUAL_SMTP_TLS',
  'PONTUAL_MAIL_FROM',
  'PONTUAL_PUBLIC_URL',
  'PONTUAL_PUBLIC_ORIGIN',
  'PONTUAL_WEBHOOK_HOSTS',
  'PONTUAL_WEBHOOK_PORTS',
  'PONTUAL_WEBHOOK_NETWORKS',
] as const satisfies readonly Variable[]

/** Variables that commands read, beside `pontual start`. */
const OF_COMMANDS: Listed = [
  [
    ['PONTUAL_URL'],
    {
      en: 'the service that commands ask, such as https://jobs.example.com; `--url` and `--database-url` go before it',
      pt: 'o serviço a que os comandos perguntam, como https://jobs.example.com; `--url` e `--database-url` valem antes dele',
    },
  ],
  [
    ['PONTUAL_TOKEN', 'PONTUAL_API_KEY'],
    {
      en: 'the bearer token or the API key that they show to it, one of the two; there is no option for it, since command lines are seen by all',
      pt: 'o token ou a chave de API que mostram a ele, um dos dois; não há opção para isso, pois linhas de comando são vistas por todos',
    },
  ],
  [
    ['DATABASE_URL'],
    {
      en: 'the database of `migrate`, `keys`, `audit verify` and `doctor`; commands that ask a service go straight to it where none is named',
      pt: 'o banco de dados de `migrate`, `keys`, `audit verify` e `doctor`; comandos que perguntam a um serviço vão direto a ele onde nenhum é indicado',
    },
  ],
  [
    ['PONTUAL_ENCRYPTION_KEYS'],
    {
      en: 'the key ring for `keys`, `doctor` and commands that go straight to the database',
      pt: 'o chaveiro para `keys`, `doctor` e comandos que vão direto ao banco de dados',
    },
  ],
  [
    ['PONTUAL_ENCRYPTION_PLAINTEXT'],
    {
      en: 'accepted: commands that go straight to the database also read what is not encrypted',
      pt: 'accepted: comandos que vão direto ao banco de dados leem também o que não está cifrado',
    },
  ],
  [OF_DEV, { en: 'as above, for `pontual dev` too', pt: 'como acima, também para `pontual dev`' }],
  [
    ['PGHOST', 'PGPORT', 'PGUSER', 'PGPASSWORD', 'PGTARGETSESSIONATTRS'],
    {
      en: 'and the others of `libpq` that the driver `pg` knows: what the address of a database leaves out',
      pt: 'e as outras de `libpq` que o driver `pg` conhece: o que o endereço de um banco de dados omite',
    },
  ],
  [
    ['NO_COLOR', 'FORCE_COLOR'],
    { en: 'no colours, or colours also where nobody looks', pt: 'sem cores, ou cores mesmo onde ninguém olha' },
  ],
]

const OF_JOBS: Listed = [
  [
    ['PONTUAL_JOBS__<NAME>__CRON'],
    {
      en: 'another cron expression for a job that is declared in code: its name in capitals, and `_` for whatever is no letter of ASCII or digit; it goes before the file',
      pt: 'outra expressão cron para um job declarado no código: seu nome em maiúsculas, e `_` para o que não é letra ASCII nem dígito; vale antes do arquivo',
    },
  ],
  [
    ['PONTUAL_CONFIG'],
    {
      en: 'a JSON file with the same: `{ "jobs": { "close-day": { "cron": "0 19 * * 1-5" } } }`',
      pt: 'um arquivo JSON com o mesmo: `{ "jobs": { "close-day": { "cron": "0 19 * * 1-5" } } }`',
    },
  ],
]

const WORDS = {
  title: { en: 'Configuration', pt: 'Configuração' },
  lead: {
    en: 'What an option says goes before what a variable says, a variable before `pontual.config.ts`, and that before the defaults. `pontual start` refuses a variable that begins with `PONTUAL_` and is not known, and names the nearest known one. One that is empty is not set.',
    pt: 'O que uma opção diz vale antes do que uma variável diz, uma variável antes de `pontual.config.ts`, e este antes dos padrões. `pontual start` recusa uma variável que começa com `PONTUAL_` e não é conhecida, e indica a conhecida mais próxima. Uma vazia não está definida.',
  },
  start: { en: 'Variables of pontual start', pt: 'Variáveis de pontual start' },
  startLead: {
    en: 'The same texts are in `npx pontual start --help`.',
    pt: 'Os mesmos textos, em inglês, estão em `npx pontual start --help`.',
  },
  commands: { en: 'Variables of commands', pt: 'Variáveis dos comandos' },
  jobsLead: {
    en: 'They are read by every process that runs such jobs, also one of your own.',
    pt: 'São lidas por todo processo que executa tais jobs, também por um seu.',
  },
  jobs: { en: 'Schedules of jobs that are declared in code', pt: 'Agendas de jobs declarados no código' },
  file: { en: 'pontual.config.ts', pt: 'pontual.config.ts' },
  fileLead: {
    en: 'Found in the working directory as `pontual.config.ts`, `.mts`, `.js` or `.mjs`, or where `--config` says. It has one default export, made by `defineConfig` of `pontual/server`. TypeScript needs no build step; only types are taken out, as Node does it. Keys that are not known are refused.',
    pt: 'Encontrado no diretório de trabalho como `pontual.config.ts`, `.mts`, `.js` ou `.mjs`, ou onde `--config` diz. Tem um export default, feito por `defineConfig` de `pontual/server`. TypeScript não precisa de compilação; só os tipos são retirados, como o Node faz. Chaves desconhecidas são recusadas.',
  },
  header: { en: ['variable', ''], pt: ['variável', ''] },
}

const EXAMPLE = `\`\`\`ts [pontual.config.ts]
import { cron, job } from 'pontual'
import { defineConfig } from 'pontual/server'

const closeDay = job('close-day', {
  schedule: { trigger: cron('0 20 * * 1-5', { timeZone: 'America/Sao_Paulo' }) },
  run: async (_input: undefined, { logger }) => logger.info('Closing the day'),
})

export default defineConfig({ application: 'billing', jobs: [closeDay] })
\`\`\``

export function configurationPage(language: Language): string {
  const listed = (rows: Listed) =>
    table(
      WORDS.header[language],
      rows.map(([names, what]) => [names.map(code).join(', '), what[language]]),
    )
  const variables = Object.entries(VARIABLES).map(([name, what]) => [code(name), prose(what)])
  return page(language, WORDS.title, WORDS.lead, [
    `## ${WORDS.file[language]}`,
    WORDS.fileLead[language],
    EXAMPLE,
    `\`\`\`typescript\n${declarationIn('server/define-config.ts', 'Config').text}\n\`\`\``,
    `## ${WORDS.start[language]}`,
    WORDS.startLead[language],
    table(WORDS.header[language], variables),
    `## ${WORDS.jobs[language]}`,
    WORDS.jobsLead[language],
    listed(OF_JOBS),
    `## ${WORDS.commands[language]}`,
    listed(OF_COMMANDS),
  ])
}
