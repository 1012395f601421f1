// The API and the dashboard of Pontual inside a Fastify server. Whoever asks shows a token that the server has signed. Everything is kept in memory.

import { randomBytes } from 'node:crypto'
import fastify from 'fastify'
import { SignJWT } from 'jose'
import { cron, job, memory, pontual } from 'pontual'
import { createApi, fastifyPlugin } from 'pontual/server'

const closeDay = job('close-day', {
  schedule: { trigger: cron('0 20 * * 1-5', { timeZone: 'America/Sao_Paulo' }) },
  run: async (_input, { logger }) => {
    logger.info('Closing the day')
    return { closed: true }
  },
})

// In production: at least 32 bytes that nobody can guess, the same at every start and in every process.
const secret = process.env.JWT_SECRET ?? randomBytes(32).toString('base64')

// Slots: at least four times as many as one tenant may use (10 by default).
const app = pontual({ application: 'shop', store: memory(), jobs: [closeDay], node: { slots: 40 } })
const api = await createApi(app, { identity: { jwt: { secret } }, prefix: '/ops' })
await app.start()

const server = fastify()
await server.register(fastifyPlugin(api), { prefix: '/ops' })
server.get('/', async () => 'The shop is open.\n')
server.get('/close', async () => {
  const { id } = await app.enqueue(closeDay)
  const { status, output } = await app.waitFor(id)
  return { status, output }
})
// Running work may finish.
server.addHook('onClose', () => app.stop())

/** Stands for the sign-in of your own. */
function tokenOf(userId, profile) {
  return new SignJWT({ clienteId: 'default', profile })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret))
}

const port = Number(process.env.PORT ?? 3000)
const url = await server.listen({ port, host: '127.0.0.1' }).catch((error) => {
  console.error(`${error.message}. Where the port is taken, choose another: PORT=8080 npm start`)
  process.exit(1)
})
console.log(`The shop is at ${url}. Its jobs are at ${url}/ops/jobs/, where this token of ana, who is Admin, signs in:

  TOKEN=${await tokenOf('ana', 'Admin')}
  curl ${url}/close                                                   # runs the job close-day and waits for it
  curl -H "Authorization: Bearer $TOKEN" ${url}/ops/api/jobs
`)

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    api.close()
    void server.close()
  })
}
