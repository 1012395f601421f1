import { nextHandlers } from 'pontual/server'
import { jobs } from '../../../lib/jobs.js'

const answer = (request) => nextHandlers(jobs().api).GET(request)

export const dynamic = 'force-dynamic'
export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
}
