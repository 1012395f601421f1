import { z } from 'zod'
import { type Route, route } from '../request/route.ts'
import { flagUpdate, flagView } from '../schemas/flags.ts'
import { text } from '../schemas/values.ts'
import { JOBS } from './jobs.ts'

export const flagRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${JOBS}/flags`,
    name: 'listFlags',
    summary: 'List what can be switched off, and whether it is on for the tenant',
    access: { permissions: ['jobs:read'] },
    answers: { 200: { description: 'All flags', schema: z.object({ items: z.array(flagView) }) } },
    handle: async ({ service, principal, language }) => ({
      status: 200,
      body: { items: await service.administration.flags(principal, language) },
    }),
  }),
  route({
    method: 'PUT',
    path: `${JOBS}/flags/:key`,
    name: 'switchFlag',
    summary: 'Switch a flag of the tenant on or off',
    access: { profile: 'Admin' },
    params: z.object({ key: text(100, 1) }),
    body: flagUpdate,
    problems: [404, 409],
    answers: { 200: { description: 'The flag as it is now', schema: flagView } },
    handle: async ({ service, principal, params, body, language }) => ({
      status: 200,
      body: await service.administration.switchFlag(principal, params.key, body.habilitado, language),
    }),
  }),
]
