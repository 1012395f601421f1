import { z } from 'zod'
import { PERMISSIONS } from '../../access/permission.ts'
import { wireInstant } from '../../service/wire-value.ts'
import { LOCALES } from '../../time/locale.ts'
import type { Sessions } from '../authentication/authenticate.ts'
import { RequestError } from '../request/request-error.ts'
import { type Call, type Route, route } from '../request/route.ts'
import { profile } from '../schemas/administration.ts'
import { answeredInstant } from '../schemas/values.ts'

const SESSION = '/api/session'

const whoAsks = z.object({
  clienteId: z.string(),
  userId: z.string(),
  profile,
  permissions: z.array(z.enum(PERMISSIONS)),
  language: z.enum(LOCALES).meta({ description: 'In which people of the tenant are told things.' }),
  hasDashboard: z.boolean().meta({ description: 'Whether the dashboard is switched on for the tenant.' }),
  isSession: z.boolean().meta({ description: 'Whether he is known by a session of this browser, which can be ended.' }),
  isDev: z.boolean().meta({ description: 'Whether whoever asks from this machine needs no credentials.' }),
})

export const sessionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: SESSION,
    name: 'getSession',
    summary: 'Tell who asks',
    access: 'identified',
    answers: { 200: { description: 'Who asks, and what he may do', schema: whoAsks } },
    handle: async (call) => ({ status: 200, body: await describe(call) }),
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
    async handle(call) {
      const { principal, request, sessions } = call
      const { setCookie, expiresAt } = await requireSessions(sessions).open(request, principal)
      return {
        status: 201,
        body: { ...(await describe(call)), isSession: true, expiresAt: wireInstant(expiresAt) },
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
  if (sessions === null)
    throw new RequestError(404, 'not_found', 'This server keeps no sessions.', {
      details: { case: 'sessions' },
    })
  return sessions
}

async function describe({ principal, service, sessions }: Call): Promise<z.output<typeof whoAsks>> {
  const { tenant, userId, profile, permissions, source } = principal
  const { administration } = service
  const [language, hasDashboard] = await Promise.all([
    administration.language(principal),
    administration.hasDashboard(principal),
  ])
  return {
    clienteId: tenant,
    userId,
    profile,
    permissions: PERMISSIONS.filter((each) => permissions.has(each)),
    language,
    hasDashboard,
    isSession: source === 'session',
    isDev: sessions?.isDev ?? false,
  }
}
