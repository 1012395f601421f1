import type { Route } from './route.ts'
import { administrationRoutes } from './routes/administration.ts'
import { auditRoutes } from './routes/audit.ts'
import { executionRoutes } from './routes/executions.ts'
import { jobQuestionRoutes } from './routes/job-questions.ts'
import { jobVerbRoutes } from './routes/job-verbs.ts'
import { jobRoutes } from './routes/jobs.ts'
import { overviewRoutes } from './routes/overview.ts'
import { sessionRoutes } from './routes/session.ts'
import { streamRoutes } from './routes/streams.ts'

/** Every route there is: what is served, what is described, and what the permission matrix is tested from. */
export const routes: readonly Route[] = [
  ...jobRoutes,
  ...jobVerbRoutes,
  ...jobQuestionRoutes,
  ...executionRoutes,
  ...overviewRoutes,
  ...streamRoutes,
  ...auditRoutes,
  ...administrationRoutes,
  ...sessionRoutes,
]

/** All paths of a route. */
export function pathsOf({ path, aliases = [] }: Route): readonly string[] {
  return [path, ...aliases]
}
