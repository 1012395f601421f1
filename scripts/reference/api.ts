import { type Declaration, exportsOf } from './declarations.ts'
import { code, joined, type Language, prose, table, type Words } from './markdown.ts'

/** Entry points of the package: the source, what is imported, and what it is for. */
const ENTRIES: readonly { readonly source: string; readonly name: string; readonly what: Words }[] = [
  {
    source: 'index',
    name: 'pontual',
    what: {
      en: 'jobs, durable jobs, the engine, the memory store',
      pt: 'jobs, jobs duráveis, o motor, o store em memória',
    },
  },
  {
    source: 'time',
    name: 'pontual/time',
    what: {
      en: 'triggers, cron, calendars, misfires; pure, and part of `pontual` too',
      pt: 'gatilhos, cron, calendários, disparos perdidos; puro, e também parte de `pontual`',
    },
  },
  {
    source: 'postgres',
    name: 'pontual/postgres',
    what: { en: 'the store on PostgreSQL', pt: 'o store em PostgreSQL' },
  },
  {
    source: 'pglite',
    name: 'pontual/pglite',
    what: { en: 'the store in a PostgreSQL within the process', pt: 'o store em um PostgreSQL dentro do processo' },
  },
  { source: 'server', name: 'pontual/server', what: { en: 'the service over HTTP', pt: 'o serviço por HTTP' } },
  {
    source: 'testing',
    name: 'pontual/testing',
    what: { en: 'the manual clock and tests without waiting', pt: 'o relógio manual e testes sem espera' },
  },
]

const WORDS = {
  header: { en: ['name', '', 'what it is'], pt: ['nome', '', 'o que é'] },
}

/** The overview of all entry points. */
export function apiPage(language: Language): string {
  const folder = language === 'en' ? 'api' : '../../reference/api'
  const time = new Set(exportsOf('time').map(({ name }) => name))
  return joined(
    ENTRIES.flatMap(({ source, name, what }) => {
      const declarations = exportsOf(source).filter((each) => source !== 'index' || !time.has(each.name))
      const rows = declarations.map((each) => [
        `[${code(each.name)}](${folder}/${source}.md#${anchorOf(each)})`,
        each.kind,
        prose(leadOf(each.doc)),
      ])
      return [
        `## ${name}`,
        `${what[language]}.`.replace(/^./, (letter) => letter.toUpperCase()),
        table(WORDS.header[language], rows),
      ]
    }),
  )
}

/** The declarations of each entry point, in English as their comments are. */
export function apiDetails(): ReadonlyMap<string, string> {
  const time = new Set(exportsOf('time').map(({ name }) => name))
  return new Map(
    ENTRIES.map(({ source }) => {
      const declarations = exportsOf(source).filter((each) => source !== 'index' || !time.has(each.name))
      const sections = declarations.flatMap((each) => [
        `## ${each.name} {#${anchorOf(each)}}`,
        ...(each.doc === '' ? [] : [docOf(each.doc)]),
        `\`\`\`typescript\n${each.text}\n\`\`\``,
      ])
      return [source, joined(sections)] as const
    }),
  )
}

/** Two names that differ only in the size of letters, such as `Chain` and `chain`, have places of their own. */
function anchorOf({ name, kind }: Declaration): string {
  return `${kind}-${name}`.toLowerCase()
}

function leadOf(doc: string): string {
  return /^.*?[.:;](?=\s|$)/s.exec(doc)?.[0].replace(/[:;]$/, '.').replaceAll('\n', ' ') ?? doc
}

/** A comment as Markdown: examples stay as they are, for the compiler has them in the sources' own tests. */
function docOf(doc: string): string {
  return doc
    .split(/(```.*?```)/s)
    .map((part, index) =>
      index % 2 === 1
        ? part.replace(/^```(ts)?\n/, '```typescript\n')
        : prose(part)
            .replaceAll(/^@example\s*/gm, '')
            .replaceAll(/\{@link (\w+)\}/g, '`$1`'),
    )
    .join('')
}
