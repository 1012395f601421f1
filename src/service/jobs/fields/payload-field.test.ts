import { expect, it } from 'vitest'
import { z } from 'zod'
import { englishIn } from '../../../../test/repo/i18n/english-words.ts'
import { job } from '../../../job/type/job-type.ts'
import { InvalidFieldsError } from '../../errors.ts'
import { FieldProblems } from '../../field-problems.ts'
import { sayField } from '../../i18n/say.ts'
import { commandRun } from '../../job-types/command-run.ts'
import { httpRequest } from '../../job-types/http-request.ts'
import { readPayload } from './payload-field.ts'

const strict = job('Estrito', {
  input: z.strictObject({
    month: z.string().regex(/^\d{4}-\d\d$/, 'A month such as 2026-01'),
    count: z.int().max(3).optional(),
  }),
  run: () => null,
})
const durable = job('Pedido', { durable: true, run: async () => {} })
const types = [httpRequest(), commandRun({ programs: ['/usr/bin/pg_dump'] }), strict, durable]
const long = 'x'.repeat(300_000)

async function problemsOf(jobType: string, payload: unknown) {
  const type = types.find(({ id }) => id === jobType)
  const problems = new FieldProblems()
  await readPayload(problems, payload, { schema: type?.schema ?? null, isDurable: type?.isDurable ?? false })
  try {
    problems.throwIfAny()
    return []
  } catch (error) {
    return error instanceof InvalidFieldsError ? error.problems : []
  }
}

it.each<[string, string, unknown]>([
  ['/payload/url target_forbidden', 'http.request', { url: 'http://169.254.169.254/' }],
  ['/payload/url target_forbidden', 'http.request', { url: 'https://example.com:8443/' }],
  ['/payload/url target_forbidden', 'http.request', { url: 'https://localhost/' }],
  ['/payload/url target_forbidden', 'http.request', { url: `https://example.com/${'x'.repeat(3_000)}` }],
  ['/payload/url target_forbidden', 'http.request', { url: 'gopher://example.com' }],
  ['/payload/method payload_invalid', 'http.request', { url: 'https://example.com', method: 'TRACE' }],
  ['/payload/timeoutSeconds payload_invalid', 'http.request', { url: 'https://example.com', timeoutSeconds: 0 }],
  ['/payload/body body_forbidden', 'http.request', { url: 'https://example.com', body: 'x' }],
  ['/payload/headers/host header_forbidden', 'http.request', { url: 'https://example.com', headers: { host: 'a' } }],
  [
    '/payload/headers/cookie header_forbidden',
    'http.request',
    { url: 'https://example.com', headers: { cookie: 'a' } },
  ],
  ['/payload/headers/x header_forbidden', 'http.request', { url: 'https://example.com', headers: { x: 'a\r\nb: c' } }],
  [
    '/payload/headers/x header_forbidden',
    'http.request',
    { url: 'https://example.com', headers: { x: 'a'.repeat(5_000) } },
  ],
  [
    '/payload/headers/x header_forbidden',
    'http.request',
    { url: 'https://example.com', headers: { x: 'pk_01980000-0000-7000-8000-000000000000_s' } },
  ],
  [
    '/payload/headers too_many',
    'http.request',
    {
      url: 'https://example.com',
      headers: Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x-${at}`, 'a'])),
    },
  ],
  ['/payload payload_invalid', 'http.request', { url: 'https://example.com', more: 1 }],
  ['/payload/program program_forbidden', 'command.run', { program: '/bin/sh' }],
  ['/payload/arguments/0 nul_forbidden', 'command.run', { program: '/usr/bin/pg_dump', arguments: ['a\0'] }],
  ['/payload/count payload_invalid', 'Estrito', { month: '2026-01', count: 5 }],
  ['/payload/month payload_invalid', 'Estrito', { month: 1 }],
  ['/payload payload_invalid', 'Estrito', null],
  ['/payload payload_too_large', 'Falhar', long],
  ['/payload payload_too_large', 'Pedido', long],
])('%s: what %s does not take is told in Portuguese', async (place, jobType, payload) => {
  const [problem] = await problemsOf(jobType, payload)
  expect(`${problem?.pointer} ${problem?.code}`).toBe(place)
  if (problem === undefined) return
  const { message } = sayField('pt-BR', problem)
  expect(message).not.toBe(problem.message)
  expect(englishIn(message), message).toEqual([])
  expect(message).not.toContain('pk_0198')
})

it('what a schema says in words of its author stays as it is', async () => {
  const [problem] = await problemsOf('Estrito', { month: 'May' })
  expect(problem && sayField('pt-BR', problem).message).toBe('A month such as 2026-01')
})
