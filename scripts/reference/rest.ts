import type { Route } from '../../src/server/request/route.ts'
import { administrationRoutes } from '../../src/server/routes/administration.ts'
import { agendaRoutes } from '../../src/server/routes/agenda.ts'
import { alertRoutes } from '../../src/server/routes/alerts.ts'
import { auditRoutes } from '../../src/server/routes/audit.ts'
import { bulkRoutes } from '../../src/server/routes/bulk.ts'
import { executionRoutes } from '../../src/server/routes/executions.ts'
import { figureRoutes } from '../../src/server/routes/figures.ts'
import { flagRoutes } from '../../src/server/routes/flags.ts'
import { jobQuestionRoutes } from '../../src/server/routes/job-questions.ts'
import { jobVerbRoutes } from '../../src/server/routes/job-verbs.ts'
import { jobRoutes } from '../../src/server/routes/jobs.ts'
import { logRoutes } from '../../src/server/routes/logs.ts'
import { notificationRoutes } from '../../src/server/routes/notifications.ts'
import { describeApi } from '../../src/server/routes/openapi.ts'
import { overviewRoutes } from '../../src/server/routes/overview.ts'
import { routes } from '../../src/server/routes/routes.ts'
import { sessionRoutes } from '../../src/server/routes/session.ts'
import { streamRoutes } from '../../src/server/routes/streams.ts'
import { fieldsOf, type JsonSchema, typeOf } from './json-schema.ts'
import { code, joined, type Language, prose, table, type Words } from './markdown.ts'
import { needOf } from './permissions.ts'

const GROUPS: readonly (readonly [Words, readonly Route[]])[] = [
  [{ en: 'Jobs', pt: 'Jobs' }, [...jobRoutes, ...jobVerbRoutes, ...bulkRoutes]],
  [{ en: 'Questions about jobs', pt: 'Perguntas sobre jobs' }, jobQuestionRoutes],
  [{ en: 'Executions and logs', pt: 'Execuções e logs' }, [...executionRoutes, ...logRoutes]],
  [{ en: 'Figures and plans', pt: 'Números e planos' }, [...overviewRoutes, ...figureRoutes, ...agendaRoutes]],
  [{ en: 'Events', pt: 'Eventos' }, streamRoutes],
  [{ en: 'Audit log', pt: 'Auditoria' }, auditRoutes],
  [{ en: 'Alerts and notifications', pt: 'Alertas e notificações' }, [...alertRoutes, ...notificationRoutes]],
  [{ en: 'Administration', pt: 'Administração' }, [...administrationRoutes, ...flagRoutes]],
  [{ en: 'Sessions', pt: 'Sessões' }, sessionRoutes],
]

const WORDS = {
  needs: { en: 'Needs', pt: 'Exige' },
  also: { en: 'Also', pt: 'Também' },
  parameters: { en: ['parameter', 'in', 'type', ''], pt: ['parâmetro', 'em', 'tipo', ''] },
  body: { en: 'Body', pt: 'Corpo' },
  optional: { en: 'may be left out', pt: 'pode faltar' },
  fields: { en: ['field', 'type', ''], pt: ['campo', 'tipo', ''] },
  answers: { en: 'Answers', pt: 'Responde' },
  shapes: { en: 'Shapes', pt: 'Formas' },
  shapesLead: { en: 'What answers hold, by name.', pt: 'O que as respostas contêm, por nome.' },
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly { name: string; in: string; description?: string; schema: JsonSchema }[]
  readonly requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> }
  readonly responses: Record<
    string,
    { $ref?: string; description?: string; content?: Record<string, { schema: JsonSchema }> }
  >
}

export function restPage(language: Language): string {
  const { paths, components } = describeApi(routes, '') as unknown as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, JsonSchema> }
  }
  const listed = GROUPS.flatMap(([, group]) => group)
  const left = routes.filter((route) => !listed.includes(route))
  if (left.length > 0) throw new TypeError(`rest: ${left.map(({ name }) => name).join(', ')} are in no group`)
  const sections = GROUPS.flatMap(([title, group]) => [
    `## ${title[language]}`,
    ...group.map((route) => {
      const template = route.path.replaceAll(/:([^/]+)/g, '{$1}')
      return section(route, paths[template]![route.method.toLowerCase()]!, language)
    }),
  ])
  const shapes = Object.entries(components.schemas).map(([name, schema]) => `### ${name}\n\n${shape(schema, language)}`)
  return joined([...sections, `## ${WORDS.shapes[language]}`, WORDS.shapesLead[language], ...shapes])
}

function section(route: Route, operation: Operation, language: Language): string {
  const aliases = (route.aliases ?? []).filter((path) => !path.endsWith('/'))
  const parts = [
    `### ${route.method} ${route.path}`,
    `${prose(operation.summary)}. ${WORDS.needs[language]}: ${needOf(route.access, language)}.`,
  ]
  if (aliases.length > 0) parts.push(`${WORDS.also[language]}: ${aliases.map(code).join(', ')}.`)
  const parameters = operation.parameters.map((each) => [
    code(each.name),
    each.in,
    typeOf(each.schema),
    prose(each.description ?? each.schema.description ?? ''),
  ])
  if (parameters.length > 0) parts.push(table(WORDS.parameters[language], parameters))
  const body = operation.requestBody
  if (body !== undefined) {
    parts.push(`${WORDS.body[language]}${body.required ? '' : ` (${WORDS.optional[language]})`}:`)
    parts.push(shape(Object.values(body.content)[0]!.schema, language))
  }
  const answers = Object.entries(operation.responses).flatMap(([status, answer]) => {
    if (answer.$ref !== undefined) return []
    const [type, content] = Object.entries(answer.content ?? {})[0] ?? []
    const holds =
      content === undefined
        ? ''
        : `: ${typeOf(content.schema)}${type === 'application/json' ? '' : ` (${code(type ?? '')})`}`
    return [`- ${status} ${prose(answer.description ?? '')}${holds}`]
  })
  parts.push(`${WORDS.answers[language]}:\n\n${answers.join('\n')}`)
  return parts.join('\n\n')
}

function shape(schema: JsonSchema, language: Language): string {
  const fields = fieldsOf(schema)
  if (fields.length === 0) return typeOf(schema)
  return table(
    WORDS.fields[language],
    fields.map(({ name, type, note }) => [code(name), type, prose(note)]),
  )
}
