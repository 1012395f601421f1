import { z } from 'zod'
import { InvalidFieldsError } from '../../service/errors.ts'
import { entityTag } from '../request/entity-tag.ts'
import { type Answer, type Route, route } from '../request/route.ts'
import {
  apiKeyView,
  apiKeyWithSecret,
  calendarUpdate,
  calendarView,
  newApiKey,
  settingsApproval,
  settingsRejection,
  settingsUpdate,
  settingsView,
} from '../schemas/administration.ts'
import { calendarPreview, calendarPreviewView } from '../schemas/agenda.ts'
import { booleanParameter, id, text } from '../schemas/values.ts'
import { JOBS } from './jobs.ts'

const READ = { permissions: ['jobs:read'] } as const
const WRITE = { profile: 'Admin' } as const

const calendarParams = z.object({ name: text(255, 1) })

export const administrationRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${JOBS}/settings`,
    name: 'getSettings',
    summary: 'Get the settings of the tenant',
    access: READ,
    answers: { 200: { description: 'The settings', schema: settingsView, headers: ['ETag'] } },
    handle: async ({ service, principal }) => settingsAnswer(await service.administration.settings(principal)),
  }),
  route({
    method: 'PUT',
    path: `${JOBS}/settings`,
    name: 'updateSettings',
    summary: 'Change the settings of the tenant; what is absent stays as it is',
    access: WRITE,
    body: settingsUpdate,
    isVersioned: true,
    answers: { 200: { description: 'The settings as they are now', schema: settingsView, headers: ['ETag'] } },
    async handle({ service, principal, body: { version, ...change }, expectedVersion }) {
      const expected = expectedVersion ?? version ?? null
      return settingsAnswer(await service.administration.updateSettings(principal, change, expected))
    },
  }),
  route({
    method: 'POST',
    path: `${JOBS}/settings/approve`,
    name: 'approveSettings',
    summary: 'Approve a pending loosening of the approval rules, as a second Admin',
    access: WRITE,
    body: settingsApproval,
    isBodyOptional: true,
    isVersioned: true,
    idempotency: 'kept',
    problems: [409],
    answers: { 200: { description: 'The settings as they are now', schema: settingsView, headers: ['ETag'] } },
    async handle({ service, principal, body, expectedVersion }) {
      const options = { comment: body.comment ?? null, expectedVersion }
      return settingsAnswer(await service.administration.approveSettings(principal, options))
    },
  }),
  route({
    method: 'POST',
    path: `${JOBS}/settings/reject`,
    name: 'rejectSettings',
    summary: 'Reject a pending loosening of the approval rules, or withdraw it',
    access: WRITE,
    body: settingsRejection,
    isVersioned: true,
    idempotency: 'kept',
    problems: [409],
    answers: { 200: { description: 'The settings as they are now', schema: settingsView, headers: ['ETag'] } },
    async handle({ service, principal, body, expectedVersion }) {
      const options = { reason: body.reason, expectedVersion }
      return settingsAnswer(await service.administration.rejectSettings(principal, options))
    },
  }),
  route({
    method: 'GET',
    path: `${JOBS}/api-keys`,
    name: 'listApiKeys',
    summary: 'List API keys, without their secrets',
    access: READ,
    answers: { 200: { description: 'The newest first', schema: z.object({ items: z.array(apiKeyView) }) } },
    handle: async ({ service, principal }) => ({
      status: 200,
      body: { items: await service.administration.apiKeys(principal) },
    }),
  }),
  route({
    method: 'POST',
    path: `${JOBS}/api-keys`,
    name: 'createApiKey',
    summary: 'Create an API key; its secret is shown this once',
    access: WRITE,
    body: newApiKey,
    // An answer that is kept would be a secret that is kept.
    idempotency: 'refused',
    problems: [409],
    answers: { 201: { description: 'The key', schema: apiKeyWithSecret } },
    handle: async ({ service, principal, body }) => ({
      status: 201,
      body: await service.administration.createApiKey(principal, body),
    }),
  }),
  route({
    method: 'DELETE',
    path: `${JOBS}/api-keys/:id`,
    name: 'revokeApiKey',
    summary: 'Revoke an API key; jobs that it has scheduled are paused',
    access: WRITE,
    params: z.object({ id }),
    query: z.strictObject({
      keepJobs: booleanParameter.default(false).meta({ description: 'Leaves the jobs as they are.' }),
    }),
    problems: [404],
    answers: { 204: { description: 'Revoked' } },
    async handle({ service, principal, params, query }) {
      await service.administration.revokeApiKey(principal, params.id, { keepsJobs: query.keepJobs })
      return { status: 204 }
    },
  }),
  route({
    method: 'GET',
    path: `${JOBS}/calendars`,
    name: 'listCalendars',
    summary: 'List calendars',
    access: READ,
    answers: {
      200: { description: 'In the order of their names', schema: z.object({ items: z.array(calendarView) }) },
    },
    handle: async ({ service, principal }) => ({
      status: 200,
      body: { items: await service.administration.calendars(principal) },
    }),
  }),
  route({
    method: 'PUT',
    path: `${JOBS}/calendars/:name`,
    name: 'putCalendar',
    summary: 'Create a calendar, or put another in its place',
    access: WRITE,
    params: calendarParams,
    body: calendarUpdate,
    answers: { 200: { description: 'The calendar', schema: calendarView } },
    async handle({ service, principal, params, body }) {
      if (body.name !== undefined && body.name !== params.name) {
        throw new InvalidFieldsError([
          {
            pointer: '/name',
            code: 'read_only_field',
            message: 'A calendar keeps its name: it is in the path.',
            says: { code: 'read_only_field', details: { case: 'calendar' } },
          },
        ])
      }
      return { status: 200, body: await service.administration.putCalendar(principal, params.name, body.definition) }
    },
  }),
  route({
    method: 'POST',
    path: `${JOBS}/calendars/:name/preview`,
    name: 'previewCalendar',
    summary: 'Tell which fires would change if a calendar were another; nothing is stored',
    access: READ,
    params: calendarParams,
    body: calendarPreview,
    answers: { 200: { description: 'Jobs for which anything changes, by name', schema: calendarPreviewView } },
    handle: async ({ service, principal, params, body }) => ({
      status: 200,
      body: await service.administration.previewCalendar(principal, params.name, body),
    }),
  }),
  route({
    method: 'DELETE',
    path: `${JOBS}/calendars/:name`,
    name: 'deleteCalendar',
    summary: 'Delete a calendar that no job uses',
    access: WRITE,
    params: calendarParams,
    problems: [404, 409],
    answers: { 204: { description: 'Deleted' } },
    async handle({ service, principal, params }) {
      await service.administration.removeCalendar(principal, params.name)
      return { status: 204 }
    },
  }),
]

function settingsAnswer(settings: { readonly version: number }): Answer {
  return { status: 200, body: settings, headers: { etag: entityTag(settings.version) } }
}
