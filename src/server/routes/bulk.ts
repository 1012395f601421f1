import type { BulkFailure } from '../../service/answers.ts'
import { say } from '../../service/i18n/say.ts'
import type { Locale } from '../../time/locale.ts'
import { type Route, route } from '../request/route.ts'
import { answerOf } from '../response/problem-of-error.ts'
import { bulkAnswer, bulkRequest } from '../schemas/bulk.ts'
import { JOBS } from './jobs.ts'

export const bulkRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: `${JOBS}/bulk`,
    name: 'bulkJobs',
    summary:
      'Pause, resume, execute or delete many jobs; up to fifty a call, of which each needs the permission of the verb',
    // To count takes no more; what a verb takes beside it is the service's to ask for.
    access: { permissions: ['jobs:read'] },
    body: bulkRequest,
    idempotency: 'kept',
    answers: { 200: { description: 'What became of each', schema: bulkAnswer } },
    async handle({ service, principal, body, language, resourceId }) {
      const answer = await service.jobs.bulk(principal, { ...body, reason: body.reason ?? null, id: resourceId })
      return { status: 200, body: { ...answer, failed: answer.failed.map((each) => onTheWire(each, language)) } }
    },
  }),
]

/** Why a job refused, as it would have been told if it had been asked alone. */
function onTheWire({ id, name, error }: BulkFailure, language: Locale) {
  const { code, detail: message, says = { code, details: {} } } = answerOf(error)
  return { id, name, code, message: say(language, { ...says, message }) }
}
