import { z } from 'zod'
import { PERMISSIONS } from '../../access/permission.ts'
import type { Principal } from '../../access/principal.ts'
import { wireInstant } from '../../service/wire-value.ts'
import type { Sessions } from '../authenticate.ts'
import { RequestError } from '../request-error.ts'
import { type Route, route } from '../route.ts'
import { profile } from '../schemas/administration.ts'
import { answeredInstant } from '../schemas/values.ts'

const SESSION = '/api/session'

const whoAsks = z.object({
  clienteId: z.string(),
  userId: z.string(),
  profile,
  permissions: z.array(z.enum(PERMISSIONS)),
})

export const sessionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: SESSION,
    name: 'getSession',
    summary: 'Tell who asks',
    access: 'identified',
    answers: { 200: { description: 'Who asks, and what he may do', schema: whoAsks } },
    handle: async ({ principal }) => ({ status: 200, body: describe(principal) }),
  }),
  route({
    method: 'POST',
    path: SESSION,
    name: 'openSession',
    summary: 'Exchange a token or a key for a session of a browser',
    access: 'identified',
    idempotency: 'refused',
    answers: {
      201: {
        description: 'A cookie was set',
        schema: whoAsks.extend({ expiresAt: answeredInstant }),
        headers: ['Set-Cookie'],
      },
    },
    async handle({ principal, request, sessions }) {
      const { setCookie, expiresAt } = await requireSessions(sessions).open(request, principal)
      return {
        status: 201,
        body: { ...describe(principal), expiresAt: wireInstant(expiresAt) },
        headers: { 'set-cookie': setCookie },
      }
    },
  }),
  route({
    method: 'DELETE',
    path: SESSION,
    name: 'closeSession',
    summary: 'End the session',
    access: 'identified',
    answers: { 204: { description: 'It has ended, and the cookie is taken away', headers: ['Set-Cookie'] } },
    async handle({ request, sessions }) {
      return { status: 204, headers: { 'set-cookie': await requireSessions(sessions).close(request) } }
    },
  }),
]

function requireSessions(sessions: Sessions | null): Sessions {
  if (sessions === null) throw new RequestError(404, 'not_found', 'This server keeps no sessions.')
  return sessions
}

function describe({ tenant, userId, profile, permissions }: Principal): z.output<typeof whoAsks> {
  return { clienteId: tenant, userId, profile, permissions: PERMISSIONS.filter((each) => permissions.has(each)) }
}
