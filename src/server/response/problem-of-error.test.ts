import { describe, expect, it } from 'vitest'
import { ForbiddenError, UnauthenticatedError } from '../../access/errors.ts'
import { statusConflict, UnknownExecutionError } from '../../engine/app/executions.ts'
import { UnknownJobError } from '../../engine/lifecycle/change-job.ts'
import { InvalidInputError, PontualError } from '../../errors.ts'
import { JobConflictError } from '../../job/job-status.ts'
import { InvalidPayloadError } from '../../job/type/standard-schema.ts'
import {
  ConflictError,
  type FieldProblem,
  InvalidFieldsError,
  NotFoundError,
  QuotaError,
  StaleVersionError,
} from '../../service/errors.ts'
import { UnknownPredecessorError } from '../../store/executions.ts'
import { IdempotencyError } from '../../store/idempotency.ts'
import { StoreUnavailableError } from '../../store/unavailable.ts'
import { RequestError } from '../request/request-error.ts'
import { PROBLEM_STATUSES, problemOf, problemResponse } from './problem.ts'
import { answerOf } from './problem-of-error.ts'

const field = (code: string): FieldProblem => ({ pointer: '/x', code, message: 'No.' })
const sqlError = (code: string) => Object.assign(new Error('relation "pontual.jobs" …'), { code })

describe('an error is answered', () => {
  it.each<[Error, number, string]>([
    [new UnauthenticatedError('token.expired', 'Over.'), 401, 'unauthenticated'],
    [new ForbiddenError('access.permission_missing', 'No.'), 403, 'forbidden'],
    [new ForbiddenError('access.other_tenant', 'No.'), 403, 'forbidden'],
    [new ForbiddenError('self_approval_forbidden', 'No.'), 403, 'self_approval_forbidden'],
    [new ForbiddenError('csrf', 'No.'), 403, 'csrf'],
    [new NotFoundError('job.unknown', 'None.'), 404, 'not_found'],
    [new UnknownJobError('x'), 404, 'not_found'],
    [new UnknownExecutionError('x'), 404, 'not_found'],
    [new UnknownPredecessorError('x', 'a'), 404, 'not_found'],
    [new JobConflictError('job.status_conflict', 'No.'), 409, 'job.status_conflict'],
    [new ConflictError('job.name_taken', 'No.'), 409, 'job.name_taken'],
    [new QuotaError('quota_exceeded', 'No.'), 409, 'quota_exceeded'],
    [statusConflict('x', 'SUCCESS', 'cancel'), 409, 'execution.status_conflict'],
    [new PontualError('job.contended', 'No.'), 409, 'job.contended'],
    [new StaleVersionError('stale_version', 'No.'), 412, 'stale_version'],
    [new IdempotencyError('idempotency.mismatch', 'No.'), 422, 'idempotency_mismatch'],
    [new InvalidInputError('duration.invalid', 'No.'), 400, 'duration.invalid'],
    [new InvalidPayloadError('payload.invalid', 'No.'), 400, 'payload.invalid'],
    [new RequestError(415, 'unsupported_media_type', 'No.'), 415, 'unsupported_media_type'],
    [new StoreUnavailableError('store.unreachable', 'connect ECONNREFUSED 10.0.0.5:5432'), 503, 'unavailable'],
    [new PontualError('pontual.stopped', 'No.'), 503, 'unavailable'],
    [sqlError('40P01'), 503, 'unavailable'],
    [sqlError('53100'), 503, 'unavailable'],
    [sqlError('42703'), 500, 'internal'],
    [new PontualError('never.heard_of', 'No.'), 500, 'internal'],
    [new TypeError('x is not a function'), 500, 'internal'],
  ])('%s with %i %s', (error, status, code) => {
    expect(answerOf(error)).toMatchObject({ status, code })
    expect(PROBLEM_STATUSES).toContain(status)
  })

  it.each<[readonly string[], string]>([
    [['unknown_field'], 'unknown_field'],
    [['unknown_field', 'unknown_field'], 'unknown_field'],
    [['read_only_field'], 'read_only_field'],
    [['cron_invalid'], 'job.cron_invalid'],
    [['invalid_cursor'], 'invalid_cursor'],
    [['required'], 'validation_failed'],
    [['unknown_field', 'required'], 'validation_failed'],
  ])('where fields are wrong as %j, with %s', (codes, code) => {
    const problems = codes.map(field)
    expect(answerOf(new InvalidFieldsError(problems))).toMatchObject({ status: 400, code, errors: problems })
  })

  it('with what is wrong with a payload, by its place', () => {
    const issues = [
      { path: 'lines.0.price', message: 'Expected number' },
      { path: '', message: 'Expected object' },
    ]
    expect(answerOf(new InvalidPayloadError('payload.invalid', 'No.', { issues })).errors).toEqual([
      { pointer: '/payload/lines/0/price', code: 'payload_invalid', message: 'Expected number' },
      { pointer: '/payload', code: 'payload_invalid', message: 'Expected object' },
    ])
  })

  it('without a word of what nobody meant to happen', () => {
    for (const error of [sqlError('42703'), sqlError('40P01'), new StoreUnavailableError('x', '10.0.0.5:5432')]) {
      const answer = answerOf(error)
      expect(answer.isUnexpected).toBe(true)
      expect(JSON.stringify(answer)).not.toMatch(/relation|pontual\.jobs|10\.0\.0\.5|SQL/)
    }
  })

  it('with when to try again, and how to show who one is', () => {
    expect(answerOf(sqlError('40P01')).headers).toEqual({ 'retry-after': '2' })
    expect(answerOf(new UnauthenticatedError('x', 'No.')).headers).toHaveProperty('www-authenticate')
  })
})

describe('a problem', () => {
  it('reads as RFC 9457 has it', async () => {
    const answer = answerOf(new InvalidFieldsError([field('required')]))
    const response = problemResponse(problemOf(answer, { instance: '/api/jobs', traceId: 'abc' }), { allow: 'GET' })
    expect(response.status).toBe(400)
    expect(Object.fromEntries(response.headers)).toEqual({
      allow: 'GET',
      'cache-control': 'no-store',
      'content-type': 'application/problem+json',
      'x-content-type-options': 'nosniff',
    })
    expect(await response.json()).toEqual({
      type: 'urn:pontual:problem:validation',
      title: 'Validation failed',
      status: 400,
      detail: '1 field is invalid.',
      instance: '/api/jobs',
      code: 'validation_failed',
      trace_id: 'abc',
      errors: [{ pointer: '/x', code: 'required', message: 'No.' }],
    })
  })
})
