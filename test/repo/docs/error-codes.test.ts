import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sentencesByCode } from '../../../scripts/reference/error-codes.ts'
import { requireApprover } from '../../../src/access/approval.ts'
import { PontualError } from '../../../src/errors.ts'
import { ERASED, requireReadable, undecryptable } from '../../../src/job/execution/unreadable.ts'
import { refuseOtherSites, requireOwnPage } from '../../../src/server/authentication/origin.ts'
import { requireShape } from '../../../src/server/request/field-problems.ts'
import { requireAccess } from '../../../src/server/request/route.ts'
import { id, instant, integerParameter, text } from '../../../src/server/schemas/values.ts'
import { InvalidFieldsError } from '../../../src/service/errors.ts'
import { FieldProblems } from '../../../src/service/field-problems.ts'
import { API_CODES } from '../../../src/service/i18n/codes.ts'
import { commandRun } from '../../../src/service/job-types/command-run.ts'
import { httpRequest } from '../../../src/service/job-types/http-request.ts'
import { readTriggerFields } from '../../../src/service/jobs/fields/trigger-field.ts'
import { checkTarget, outboundRules } from '../../../src/service/outbound/target.ts'
import { readText } from '../../../src/service/sent-values.ts'
import { parseCron } from '../../../src/time/cron/parse.ts'
import { triggerFrom } from '../../../src/time/triggers/from-json.ts'
import { zoneOf } from '../../../src/time/zone.ts'
import { ADMIN, type AskOptions, MANAGER, openWorld, STRANGER, type World } from '../../http/api/world.ts'

const sentences = sentencesByCode()

/** Whether a message is one of these sentences, with something in place of what stands there in braces, and a hint behind it or none. */
function isOneOf(message: string, told: readonly string[]): boolean {
  return told.some((sentence) => {
    const parts = sentence.split(/\{[^}]*\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${parts.join('[^]*')}( Did you mean ".*"\\?)?$`).test(message)
  })
}

/** What is said about what is refused, and with which code. */
function refusal(refused: () => unknown): readonly [code: string, message: string] {
  try {
    refused()
  } catch (error) {
    if (error instanceof InvalidFieldsError) {
      const [problem] = error.problems
      return [problem?.says?.code ?? problem?.code ?? '', problem?.message ?? '']
    }
    if (error instanceof PontualError) return [error.code, error.message]
  }
  throw new Error('It is accepted.')
}

const NOW = Date.UTC(2026, 0, 1)
const ORIGINS = { publicOrigin: null, trustedOrigins: [] }
const post = (headers: Record<string, string>) =>
  new Request('https://jobs.example.com/', { method: 'POST', headers: { host: 'jobs.example.com', ...headers } })
const target = (url: string) => () => checkTarget(url, outboundRules({ hosts: ['example.com', '10.0.0.1'] }))
const field = (schema: z.ZodType, value: unknown) => () =>
  requireShape(z.strictObject({ field: schema }), { field: value })
const trigger = (fields: object) => () => {
  const problems = new FieldProblems()
  readTriggerFields(problems, fields, null, { now: NOW, allowsSeconds: false, calendar: null })
  problems.throwIfAny()
}
const approver = (persons: string[], authors: string[]) => () =>
  requireApprover(persons, { authors, createdBy: null, scheduledBy: null }, false)

describe('what is said stands on the page of error codes', () => {
  it.each<[code: string, refused: () => unknown]>([
    ['access.permission_missing', () => requireAccess({ permissions: ['jobs:delete'] }, principal('Developer'))],
    ['access.profile_missing', () => requireAccess({ profile: 'Admin' }, principal('Manager'))],
    ['cron.field_count', () => parseCron('* * *')],
    ['cron.field_count', () => parseCron('0 0 0 1 1 * 2026')],
    ['cron.field_invalid', () => parseCron('75 3 * * *')],
    ['cron.macro_unknown', () => parseCron('@sometimes')],
    ['cron.too_long', () => parseCron('* '.repeat(500))],
    ['cron_unsatisfiable', trigger({ cronExpression: '0 0 31 4,6 *' })],
    ['csrf', () => requireOwnPage(post({}), ORIGINS)],
    ['csrf', () => refuseOtherSites(post({ origin: 'https://evil.example' }), ORIGINS)],
    ['expected.id', field(id, '7')],
    ['expected.instant', field(instant, 'yesterday')],
    ['expected.instant_since_1970', field(instant, '1969-01-01T00:00:00Z')],
    ['expected.integer', field(integerParameter(1, 200), 'many')],
    ['expected.length', field(text(3, 1), 'abcd')],
    ['fields.invalid', () => triggerFrom({ type: 'lunar' })],
    ['length_invalid', () => readText('ab', 'name', { min: 3, max: 255 })],
    ['never_fires', trigger({ trigger: { type: 'once', at: '2020-01-01T00:00:00Z' } })],
    ['payload_erased', () => requireReadable(ERASED)],
    ['payload_undecryptable', () => requireReadable(undecryptable('key_unknown', 'x'))],
    ['required', field(z.string(), undefined)],
    ['self_approval_forbidden', approver([], ['ana'])],
    ['self_approval_forbidden', approver(['bia'], [])],
    ['self_approval_forbidden', approver(['ana'], ['ana'])],
    ['target_forbidden', target(`https://example.com/${'x'.repeat(3_000)}`)],
    ['target_forbidden', target('/relative')],
    ['target_forbidden', target('gopher://example.com')],
    ['target_forbidden', target('https://ana:secret@example.com')],
    ['target_forbidden', target('https://example.com:8443')],
    ['target_forbidden', target('https://other.example')],
    ['target_forbidden', target('https://10.0.0.1')],
    ['unknown_field', () => requireShape(z.strictObject({ name: z.string() }), { name: 'a', nam: 'b' })],
    ['unknown_parameter', () => requireShape(z.strictObject({}), { limit: '1' }, 'parameter')],
    ['zone.unknown', () => zoneOf('America/Sao_Paolo')],
  ])('%s', (code, refused) => {
    const [told, message] = refusal(refused)
    expect(told).toBe(code)
    expect(isOneOf(message, sentences.get(code) ?? []), `${message}\n${sentences.get(code)?.join('\n')}`).toBe(true)
  })

  const http = httpRequest()
  const command = commandRun({ programs: ['/usr/bin/pg_dump'] })
  it.each<[code: string, schema: (typeof http)['schema'] | (typeof command)['schema'], input: unknown]>([
    ['header_forbidden', http.schema, { url: 'https://example.com', headers: { host: 'a' } }],
    ['header_forbidden', http.schema, { url: 'https://example.com', headers: { cookie: 'a' } }],
    ['header_forbidden', http.schema, { url: 'https://example.com', headers: { x: 'a\r\nb' } }],
    ['header_forbidden', http.schema, { url: 'https://example.com', headers: { x: 'a'.repeat(5_000) } }],
    ['header_forbidden', http.schema, { url: 'https://example.com', headers: { x: 'pk_0123456789ab_c' } }],
    ['target_forbidden', http.schema, { url: 'https://localhost/' }],
    ['program_forbidden', command.schema, { program: '/bin/sh' }],
    ['nul_forbidden', command.schema, { program: '/usr/bin/pg_dump', arguments: ['a\0'] }],
  ])('%s, of what a job is given', async (code, schema, input) => {
    const result = await (schema as z.ZodType).safeParseAsync(input)
    const issue = result.error?.issues[0] as { readonly message: string; readonly params?: { readonly code?: string } }
    expect(issue.params?.code).toBe(code)
    expect(isOneOf(issue.message, sentences.get(code) ?? []), issue.message).toBe(true)
  })
})

function principal(profile: 'Developer' | 'Manager') {
  const permissions = new Set(['jobs:read'] as const)
  return { tenant: 'acme', userId: 'ana', ownerId: null, profile, permissions, source: 'jwt' } as const
}

describe('what is answered stands on the page of error codes', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  const UNKNOWN = '/0190a4b2-0000-7000-8000-00000000000f'
  const json = { 'content-type': 'application/json' }
  it.each<[what: string, method: string, path: string, how: AskOptions, asker?: typeof ADMIN | null]>([
    ['nobody', 'GET', '', {}, null],
    ['too little', 'POST', '', { body: {} }, MANAGER],
    ['nothing there', 'GET', '/no/such/path', {}],
    ['no such job', 'GET', UNKNOWN, {}],
    ['no such job of another tenant', 'GET', UNKNOWN, {}, STRANGER],
    ['another method', 'PATCH', '', {}],
    ['no JSON', 'POST', '', { raw: '{', headers: json }],
    ['no body', 'POST', '', { headers: json }],
    ['not UTF-8', 'POST', '', { raw: new Uint8Array([0xff]), headers: json }],
    ['another type', 'POST', '', { raw: 'a', headers: { 'content-type': 'text/plain' } }],
    ['too deep', 'POST', '', { raw: '['.repeat(200) + ']'.repeat(200), headers: json }],
    ['a name twice', 'POST', '', { raw: '{"name":"a","name":"b"}', headers: json }],
    ['fields that are wrong', 'POST', '', { body: { name: 'x', cronExpression: '75 3 * * *' } }],
    ['a cursor of nobody', 'GET', '?cursor=abc', {}],
    ['a parameter twice', 'GET', '?limit=1&limit=2', {}],
    ['a search that is wrong', 'GET', '?q=status:', {}],
    ['an entity tag that is none', 'PUT', UNKNOWN, { body: {}, headers: { 'if-match': 'abc' } }],
    ['a key that is none', 'POST', '/enqueue', { body: {}, headers: { 'idempotency-key': 'a b' } }],
    ['a flag that is none', 'PUT', '/flags/NONE', { body: { habilitado: true } }],
    [
      'a simulation of too long',
      'POST',
      '/simulate',
      { body: { from: '2020-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } },
    ],
  ])('%s', async (_what, method, path, how, asker = ADMIN) => {
    const { status, body } = await world.ask(asker, method, `/api/jobs${path}`, how)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(API_CODES).toContain(body.code)
    const told = [String(body['detail']), ...(body.errors ?? []).map((each) => (each as { message?: string }).message!)]
    const all = [...sentences.values()].flat()
    expect(told.filter((message) => !isOneOf(message, all))).toEqual([])
  })
})
