import type { Route } from '../request/route.ts'
import { administrationRoutes } from './administration.ts'
import { agendaRoutes } from './agenda.ts'
import { alertRoutes } from './alerts.ts'
import { auditRoutes } from './audit.ts'
import { bulkRoutes } from './bulk.ts'
import { executionRoutes } from './executions.ts'
import { figureRoutes } from './figures.ts'
import { flagRoutes } from './flags.ts'
import { jobQuestionRoutes } from './job-questions.ts'
import { jobVerbRoutes } from './job-verbs.ts'
import { jobRoutes } from './jobs.ts'
import { logRoutes } from './logs.ts'
import { notificationRoutes } from './notifications.ts'
import { overviewRoutes } from './overview.ts'
import { sessionRoutes } from './session.ts'
import { streamRoutes } from './streams.ts'

/** Every route there is: what is served, what is described, and what the permission matrix is tested from. */
export const routes: readonly Route[] = [
  ...jobRoutes,
  ...jobVerbRoutes,
  ...bulkRoutes,
  ...jobQuestionRoutes,
  ...executionRoutes,
  ...logRoutes,
  ...overviewRoutes,
  ...figureRoutes,
  ...agendaRoutes,
  ...streamRoutes,
  ...auditRoutes,
  ...alertRoutes,
  ...administrationRoutes,
  ...notificationRoutes,
  ...flagRoutes,
  ...sessionRoutes,
]

/** All paths of a route. */
export function pathsOf({ path, aliases = [] }: Route): readonly string[] {
  return [path, ...aliases]
}
