import { z } from 'zod'
import type { Access, AnswerShape, Route } from '../request/route.ts'
import type { Problem } from '../response/problem.ts'
import { PROBLEM_STATUSES, titleOf } from '../response/problem.ts'
import { apiKeyView, apiKeyWithSecret, calendarView, settingsView } from '../schemas/administration.ts'
import { agendaView, calendarPreviewView, upcomingView } from '../schemas/agenda.ts'
import { auditEntryView, auditPage, auditVerdict, tenantEvent } from '../schemas/audit.ts'
import { bulkAnswer } from '../schemas/bulk.ts'
import * as executions from '../schemas/execution.ts'
import { failuresView, seriesView } from '../schemas/figures.ts'
import { jobDetailView, jobPage, jobView } from '../schemas/job.ts'
import { approvalView, jobTypeView, nextExecutionView } from '../schemas/job-knowledge.ts'
import { kpisView, kpiView, punctualityView } from '../schemas/kpis.ts'
import { dashboardView, manifestView, simulationView, workersView } from '../schemas/overview.ts'
import { TRIGGER_REFERENCE, triggerSchemas, triggerShape } from '../schemas/trigger.ts'
import { pathsOf } from './routes.ts'

export const problemView = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  code: z.string().meta({ description: 'Stable; a program decides by this.' }),
  trace_id: z.string(),
  errors: z.array(z.object({ pointer: z.string(), code: z.string(), message: z.string() })).exactOptional(),
}) satisfies z.ZodType<Problem>

type Json = Record<string, unknown>

/** What answers hold, by the names that clients see. */
const ANSWERED: Readonly<Record<string, z.ZodType>> = {
  Job: jobView,
  Trigger: triggerShape,
  JobDetail: jobDetailView,
  JobPage: jobPage,
  Execution: executions.executionView,
  ExecutionDetail: executions.executionDetailView,
  ExecutionPage: executions.executionPage,
  ExecuteAnswer: executions.executedAnswer,
  CancelAnswer: executions.cancelAnswer,
  BulkAnswer: bulkAnswer,
  Logs: executions.logsAnswer,
  LogLine: executions.logLineView,
  Activity: executions.activityView,
  AuditEntry: auditEntryView,
  AuditPage: auditPage,
  AuditVerdict: auditVerdict,
  Event: tenantEvent,
  Settings: settingsView,
  ApiKey: apiKeyView,
  ApiKeyWithSecret: apiKeyWithSecret,
  Calendar: calendarView,
  Dashboard: dashboardView,
  Kpi: kpiView,
  Kpis: kpisView,
  Punctuality: punctualityView,
  Series: seriesView,
  Failures: failuresView,
  Upcoming: upcomingView,
  Agenda: agendaView,
  CalendarPreview: calendarPreviewView,
  Workers: workersView,
  Manifest: manifestView,
  Simulation: simulationView,
  JobType: jobTypeView,
  Approval: approvalView,
  NextExecution: nextExecutionView,
  Problem: problemView,
}

/** Problems that any route may answer with. */
const EVERYWHERE: readonly number[] = [400, 401, 403, 406, 429, 500, 503]
const WITH_BODY: readonly number[] = [413, 415]

const HEADER_TEXTS = {
  ETag: 'The version, for If-Match.',
  Location: 'Where it is.',
  'Set-Cookie': 'The cookie of the session.',
}

/** What describes the API to programs: OpenAPI 3.1, from the same table that requests are served by. */
export function describeApi(routes: readonly Route[], prefix: string): Json {
  const names = namesOf(routes)
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    for (const [index, path] of pathsOf(route).entries()) {
      if (path.endsWith('/')) continue
      const template = path.replaceAll(/:([^/]+)/g, '{$1}')
      const operationId = index === 0 ? route.name : `${route.name}${index + 1}`
      paths[template] = { ...paths[template], [route.method.toLowerCase()]: operation(route, operationId, names) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pontual',
      version: '1',
      description: 'Jobs and scheduled tasks: create, approve, execute, follow and audit them.',
    },
    servers: [{ url: prefix === '' ? '/' : prefix }],
    security: [{ bearer: [] }, { apiKey: [] }, { session: [] }],
    paths,
    components: {
      schemas: componentSchemas(names),
      responses: Object.fromEntries(PROBLEM_STATUSES.map((status) => [`Problem${status}`, problemShape(status)])),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A JWT, or an API key.' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        session: { type: 'apiKey', in: 'cookie', name: '__Host-pontual' },
      },
    },
  }
}

/** Every schema of an answer with the name that clients see; one that only a single route has is called after it. */
function namesOf(routes: readonly Route[]): ReadonlyMap<z.ZodType, string> {
  const names = new Map(Object.entries(ANSWERED).map(([name, schema]) => [schema, name]))
  for (const { name, answers } of routes) {
    for (const { schema } of Object.values(answers)) {
      if (schema && !names.has(schema)) names.set(schema, `${name.charAt(0).toUpperCase()}${name.slice(1)}Answer`)
    }
  }
  return names
}

function componentSchemas(names: ReadonlyMap<z.ZodType, string>): Json {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of names) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { ...RULES, io: 'output', uri: referenceTo })
  const described = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, bare(schema)]))
  return { ...described, ...triggerSchemas() }
}

/** What Zod cannot express says what it is by its metadata; that an integer is exact goes without saying. */
const RULES: Pick<z.core.ToJSONSchemaParams, 'unrepresentable' | 'override'> = {
  unrepresentable: 'any',
  override: ({ jsonSchema }) => {
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    // A reference says everything that a request may hold.
    const { $ref } = jsonSchema
    if ($ref === TRIGGER_REFERENCE)
      for (const key of Object.keys(jsonSchema)) if (key !== '$ref' && key !== 'description') delete jsonSchema[key]
  },
}

function referenceTo(name: string): string {
  return `#/components/schemas/${name}`
}

function operation(route: Route, operationId: string, names: ReadonlyMap<z.ZodType, string>): Json {
  const { summary, access, body, isBodyOptional } = route
  return {
    operationId,
    summary,
    description: accessText(access),
    'x-access': access,
    parameters: parametersOf(route),
    ...(body === null
      ? {}
      : { requestBody: { required: !isBodyOptional, content: { 'application/json': { schema: inline(body) } } } }),
    responses: {
      ...Object.fromEntries(Object.entries(route.answers).map(([status, shape]) => [status, answer(shape, names)])),
      ...Object.fromEntries(
        problemsOf(route).map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
      ),
    },
  }
}

function problemsOf({ problems = [], body, isVersioned, idempotency }: Route): number[] {
  const found = new Set([...EVERYWHERE, ...problems])
  if (body !== null) for (const status of WITH_BODY) found.add(status)
  if (isVersioned === true) found.add(412)
  if (idempotency === 'kept') for (const status of [409, 422]) found.add(status)
  return [...found].sort((one, other) => one - other)
}

function parametersOf({ path, params, query, isVersioned, idempotency, answers }: Route): Json[] {
  const inPath = propertiesOf(params).map(([name, schema]) => ({ name, in: 'path', required: true, schema }))
  const inQuery = propertiesOf(query).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    ...(schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  }))
  const text = { type: 'string' }
  const headers = [
    ...(isVersioned === true ? [['If-Match', 'The version that was seen.']] : []),
    ...(idempotency === 'kept' ? [['Idempotency-Key', 'Sent again, the answer is given again.']] : []),
    ...(isStream(answers) ? [['Last-Event-ID', 'The last event that was seen.']] : []),
  ].map(([name, description]) => ({ name, in: 'header', required: false, description, schema: text }))
  const named = new Set(inPath.map(({ name }) => name))
  const missing = [...path.matchAll(/:([^/]+)/g)].find(([, name]) => !named.has(name ?? ''))
  if (missing) throw new TypeError(`${path} has a parameter that nobody has described`)
  return [...inPath, ...inQuery, ...headers]
}

function isStream(answers: Route['answers']): boolean {
  return Object.values(answers).some(({ mediaTypes }) => mediaTypes?.includes('text/event-stream'))
}

function propertiesOf(schema: z.ZodType | null): [string, Json][] {
  if (schema === null) return []
  const { properties = {} } = z.toJSONSchema(schema, { ...RULES, io: 'output' })
  return Object.entries(properties) as [string, Json][]
}

function answer(shape: AnswerShape, names: ReadonlyMap<z.ZodType, string>): Json {
  const { description, schema, mediaTypes = ['application/json'], headers = [] } = shape
  const content = schema && { schema: { $ref: referenceTo(names.get(schema) ?? '') } }
  return {
    description,
    ...(content === undefined ? {} : { content: Object.fromEntries(mediaTypes.map((type) => [type, content])) }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers.map((name) => [name, header(name)])) }),
  }
}

function header(name: keyof typeof HEADER_TEXTS): Json {
  return { description: HEADER_TEXTS[name], schema: { type: 'string' } }
}

function problemShape(status: number): Json {
  const schema = { $ref: referenceTo('Problem') }
  return { description: titleOf(status), content: { 'application/problem+json': { schema } } }
}

function inline(schema: z.ZodType): Json {
  return bare(z.toJSONSchema(schema, { ...RULES, io: 'input' }))
}

/** Without what only stands at the root of a document of its own. */
function bare({ $schema: _dialect, $id: _id, id: _name, ...schema }: Json): Json {
  return schema
}

function accessText(access: Access): string {
  if (access === 'identified') return 'For whoever has shown who he is.'
  const permissions = 'permissions' in access ? `Needs ${access.permissions.join(' and ')}` : 'Needs every permission'
  return access.profile === undefined ? `${permissions}.` : `${permissions} and the profile ${access.profile}.`
}
