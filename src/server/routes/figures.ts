import { type Route, route } from '../request/route.ts'
import { failuresQuery, failuresView, seriesQuery, seriesView } from '../schemas/figures.ts'
import { JOBS } from './jobs.ts'

/** What charts are drawn from. */
export const figureRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${JOBS}/series`,
    name: 'getSeries',
    summary: 'How executions of the last hours ended, how long they took and how late they were, over time',
    access: { permissions: ['jobs:viewDashboard'] },
    query: seriesQuery,
    problems: [404],
    answers: { 200: { description: 'In 24 to 96 buckets', schema: seriesView } },
    handle: async ({ service, principal, query }) => ({
      status: 200,
      body: await service.overview.series(principal, query),
    }),
  }),
  route({
    method: 'GET',
    path: `${JOBS}/failures`,
    name: 'listFailures',
    summary: 'What went wrong in the last hours, by kinds of errors',
    access: { permissions: ['jobs:viewHistory'] },
    query: failuresQuery,
    answers: { 200: { description: 'The most frequent first', schema: failuresView } },
    handle: async ({ service, principal, query }) => ({
      status: 200,
      body: await service.overview.failures(principal, query),
    }),
  }),
]
