import { type Route, route } from '../request/route.ts'
import { agendaQuery, agendaView, upcomingQuery, upcomingView } from '../schemas/agenda.ts'
import { JOBS } from './jobs.ts'

const READ = { permissions: ['jobs:read'] } as const

/** What is to come. */
export const agendaRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${JOBS}/upcoming`,
    name: 'listUpcoming',
    summary: 'The next fires over all jobs',
    access: READ,
    query: upcomingQuery,
    answers: { 200: { description: 'The first one first', schema: upcomingView } },
    handle: async ({ service, principal, query }) => ({
      status: 200,
      body: await service.overview.upcoming(principal, query),
    }),
  }),
  route({
    method: 'GET',
    path: `${JOBS}/agenda`,
    name: 'getAgenda',
    summary: 'When jobs fire within a stretch of time: how often, and the first fires one by one',
    access: READ,
    query: agendaQuery,
    problems: [404],
    answers: { 200: { description: 'As jobs stand now', schema: agendaView } },
    handle: async ({ service, principal, query }) => ({
      status: 200,
      body: await service.overview.agenda(principal, query),
    }),
  }),
]
