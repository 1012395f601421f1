import { languageOf } from '../../service/i18n/accept-language.ts'
import { type Route, route } from '../request/route.ts'
import { jobTypeList } from '../schemas/job-knowledge.ts'
import { kpiQuery, kpisView } from '../schemas/kpis.ts'
import {
  dashboardView,
  manifestView,
  openApiDocument,
  outage,
  simulationView,
  workersView,
} from '../schemas/overview.ts'
import { JOBS } from './jobs.ts'

export const overviewRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${JOBS}/dashboard`,
    name: 'getDashboard',
    summary: 'Counters, and rates, KPIs and punctuality of the last 24 hours',
    access: { permissions: ['jobs:viewDashboard'] },
    problems: [404],
    answers: { 200: { description: 'As it is now', schema: dashboardView } },
    handle: async ({ service, principal, request }) => ({
      status: 200,
      body: await service.overview.dashboard(principal, {
        language: languageOf(request.headers.get('accept-language')),
      }),
    }),
  }),
  route({
    method: 'GET',
    path: `${JOBS}/kpis`,
    name: 'getKpis',
    summary: 'The eight KPIs against their targets, and how punctual jobs are',
    access: { permissions: ['jobs:read'] },
    query: kpiQuery,
    answers: { 200: { description: 'Of the last hours', schema: kpisView } },
    handle: async ({ service, principal, query, request }) => ({
      status: 200,
      body: await service.overview.kpis(principal, {
        ...query,
        language: languageOf(request.headers.get('accept-language')),
      }),
    }),
  }),
  route({
    method: 'GET',
    path: `${JOBS}/workers`,
    name: 'getWorkers',
    summary: 'Nodes, their slots and queues, and how many of the tenant may run at once',
    access: { permissions: ['jobs:read'] },
    answers: { 200: { description: 'As it is now', schema: workersView } },
    handle: async ({ service, principal }) => ({ status: 200, body: await service.overview.workers(principal) }),
  }),
  route({
    method: 'GET',
    path: `${JOBS}/types`,
    name: 'listJobTypes',
    summary: 'List what jobs may be of, with the JSON Schema of what each may be given',
    access: { permissions: ['jobs:read'] },
    answers: { 200: { description: 'In the order of their ids', schema: jobTypeList } },
    handle: async ({ service, principal }) => ({ status: 200, body: await service.jobs.types(principal) }),
  }),
  route({
    method: 'GET',
    path: `${JOBS}/manifest`,
    name: 'getManifest',
    summary: 'What a portal shows about this module',
    access: { permissions: ['jobs:read'] },
    answers: { 200: { description: 'With live metrics and the menu entry', schema: manifestView } },
    handle: async ({ service, principal }) => ({ status: 200, body: await service.overview.manifest(principal) }),
  }),
  route({
    method: 'POST',
    path: `${JOBS}/simulate`,
    name: 'simulateOutage',
    summary: 'Tell what jobs would do after an outage, under each misfire policy',
    access: { permissions: ['jobs:read'] },
    body: outage,
    problems: [404],
    answers: { 200: { description: 'By job and policy', schema: simulationView } },
    handle: async ({ service, principal, body }) => ({
      status: 200,
      body: await service.overview.simulate(principal, body),
    }),
  }),
  route({
    method: 'GET',
    path: `${JOBS}/openapi.json`,
    name: 'getOpenApi',
    summary: 'This description',
    access: { permissions: ['jobs:read'] },
    answers: { 200: { description: 'OpenAPI 3.1', schema: openApiDocument } },
    handle: async ({ description }) => ({ status: 200, body: description() }),
  }),
]
