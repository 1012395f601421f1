import type { Route } from './route.ts'
import { administrationRoutes } from './routes/administration.ts'
import { agendaRoutes } from './routes/agenda.ts'
import { alertRoutes } from './routes/alerts.ts'
import { auditRoutes } from './routes/audit.ts'
import { bulkRoutes } from './routes/bulk.ts'
import { executionRoutes } from './routes/executions.ts'
import { figureRoutes } from './routes/figures.ts'
import { flagRoutes } from './routes/flags.ts'
import { jobQuestionRoutes } from './routes/job-questions.ts'
import { jobVerbRoutes } from './routes/job-verbs.ts'
import { jobRoutes } from './routes/jobs.ts'
import { logRoutes } from './routes/logs.ts'
import { notificationRoutes } from './routes/notifications.ts'
import { overviewRoutes } from './routes/overview.ts'
import { sessionRoutes } from './routes/session.ts'
import { streamRoutes } from './routes/streams.ts'

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
