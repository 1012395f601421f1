import { z } from 'zod'
import { FLAGS } from '../../access/flag.ts'
import type { FlagView } from '../../service/api.ts'
import { type Route, route } from '../request/route.ts'
import { text } from '../schemas/values.ts'
import { JOBS } from './jobs.ts'

const flag = z.enum(FLAGS)

export const flagView = z.object({
  featureKey: flag,
  nome: z.string(),
  descricao: z.string(),
  name: z.string().meta({ description: 'In the language of the answer.' }),
  description: z.string(),
  habilitado: z.boolean(),
  isSystemFeature: z.boolean(),
  relatedFeatures: z.array(flag),
  source: z.enum(['default', 'stored', 'provider']).meta({ description: 'Who has the say.' }),
}) satisfies z.ZodType<FlagView>

const flagUpdate = z.strictObject({
  habilitado: z.boolean().nullable().meta({ description: 'null: as it is for all tenants.' }),
})

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
