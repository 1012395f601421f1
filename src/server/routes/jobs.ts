import { z } from 'zod'
import { JOB_STATUSES } from '../../job/job-status.ts'
import { PRIORITIES } from '../../job/rules/priority.ts'
import type { JobSort } from '../../store/jobs.ts'
import { entityTag } from '../request/entity-tag.ts'
import { type Answer, type AnswerShape, type Route, route } from '../request/route.ts'
import { jobDetailView, jobPage, jobUpdate, jobView, newJob } from '../schemas/job.ts'
import {
  cursorParameter,
  id,
  limitParameter,
  listParameter,
  searchParameter,
  textListParameter,
} from '../schemas/values.ts'

export const JOBS = '/api/jobs'
export const JOB = `${JOBS}/:id`

export const jobParams = z.object({ id })

/** Fields that lists may be sorted by, as they are called on the wire. */
const SORTS: Readonly<Record<string, JobSort>> = {
  name: 'name',
  status: 'status',
  jobType: 'jobType',
  priority: 'priority',
  nextExecution: 'nextFireAt',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
}

const sorts = Object.keys(SORTS)

const listQuery = z.strictObject({
  limit: limitParameter(),
  cursor: cursorParameter.optional(),
  q: searchParameter.optional(),
  status: listParameter(JOB_STATUSES).optional(),
  jobType: textListParameter.optional(),
  priority: listParameter(PRIORITIES).optional(),
  tag: z.string().max(100).optional(),
  sort: z
    .enum([...sorts, ...sorts.map((sort) => `-${sort}`)])
    .default('name')
    .meta({ description: 'The field to sort by; with a minus before it the other way round.' }),
  with: listParameter(['recent'])
    .optional()
    .meta({ description: 'What else is told of each job: its last executions.' }),
})

/** A job, with its version as entity tag. */
export function jobAnswer(job: { readonly version: number }, status = 200): Answer {
  return { status, body: job, headers: { etag: entityTag(job.version) } }
}

export const JOB_ANSWERS: Readonly<Record<number, AnswerShape>> = {
  200: { description: 'The job as it is now', schema: jobView, headers: ['ETag'] },
}

export const jobRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: JOBS,
    aliases: [`${JOBS}/`],
    name: 'listJobs',
    summary: 'List jobs',
    access: { permissions: ['jobs:read'] },
    query: listQuery,
    answers: { 200: { description: 'A page of jobs', schema: jobPage } },
    async handle({ service, principal, query: { sort, ...query } }) {
      const isDescending = sort.startsWith('-')
      const field = SORTS[isDescending ? sort.slice(1) : sort] ?? 'name'
      return { status: 200, body: await service.jobs.list(principal, { ...query, sort: field, isDescending }) }
    },
  }),
  route({
    method: 'POST',
    path: JOBS,
    aliases: [`${JOBS}/`],
    name: 'createJob',
    summary: 'Create a job',
    access: { permissions: ['jobs:create'] },
    body: newJob,
    idempotency: 'kept',
    problems: [409],
    answers: { 201: { description: 'The job that was created', schema: jobView, headers: ['Location', 'ETag'] } },
    async handle({ service, principal, body, resourceId, prefix }) {
      const job = await service.jobs.create(principal, body, { id: resourceId })
      const answer = jobAnswer(job, 201)
      return { ...answer, headers: { ...answer.headers, location: `${prefix}${JOBS}/${job.id}` } }
    },
  }),
  route({
    method: 'GET',
    path: JOB,
    name: 'getJob',
    summary: 'Get a job with its statistics and last executions',
    access: { permissions: ['jobs:read'] },
    params: jobParams,
    problems: [404],
    answers: { 200: { description: 'The job', schema: jobDetailView, headers: ['ETag'] } },
    handle: async ({ service, principal, params }) => jobAnswer(await service.jobs.get(principal, params.id)),
  }),
  route({
    method: 'PUT',
    path: JOB,
    name: 'updateJob',
    summary: 'Change a job; what is absent stays as it is',
    access: { permissions: ['jobs:update'] },
    params: jobParams,
    body: jobUpdate,
    isVersioned: true,
    problems: [404, 409],
    answers: JOB_ANSWERS,
    handle: async ({ service, principal, params, body, expectedVersion }) =>
      jobAnswer(await service.jobs.update(principal, params.id, body, { expectedVersion })),
  }),
  route({
    method: 'DELETE',
    path: JOB,
    name: 'deleteJob',
    summary: 'Delete a job; its history stays',
    access: { permissions: ['jobs:delete'] },
    params: jobParams,
    isVersioned: true,
    problems: [404, 409],
    answers: { 204: { description: 'Deleted' } },
    async handle({ service, principal, params, expectedVersion }) {
      await service.jobs.remove(principal, params.id, { expectedVersion })
      return { status: 204 }
    },
  }),
]
