import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { jwtVerify } from 'jose'
import pg from 'pg'
import { fillTables, SECRET } from '../_api-data.mjs'
import { CREATE, EXECUTE, GET, LAST, LIST, STATISTICS } from './_bare-api-statements.mjs'

const CONNECTIONS = 10
const FOUND = { 'cache-control': 'no-store' }

/** The same questions to the same tables, and nothing else: a token, a filter, an answer in JSON. */
export function create() {
  let place
  return {
    async setup(given) {
      place = given
    },
    fill: (task) => fillTables(place.url, task),
    serve() {
      const pool = new pg.Pool({ connectionString: place.url, max: CONNECTIONS })
      return new Promise((resolve) => {
        serve({ fetch: appOver(pool).fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port))
      })
    },
  }
}

function appOver(pool) {
  const app = new Hono()
  const key = new TextEncoder().encode(SECRET)
  const ask = async (statement, values) => (await pool.query({ ...statement, values })).rows
  app.use(async (context, next) => {
    const token = context.req.header('authorization')?.replace(/^Bearer /, '') ?? ''
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], requiredClaims: ['exp'] })
    context.set('tenant', payload.clienteId)
    context.set('user', payload.sub)
    await next()
  })
  app.onError((error, context) => context.json({ error: error.message }, error.code?.startsWith('ERR_J') ? 401 : 500))

  app.get('/api/jobs', async (context) => {
    const limit = Number(context.req.query('limit') ?? 50)
    const rows = await ask(LIST, [context.get('tenant'), limit + 1])
    return context.json({ items: rows.slice(0, limit), nextCursor: rows[limit]?.id ?? null }, 200, FOUND)
  })
  app.get('/api/jobs/:id', async (context) => {
    const values = [context.req.param('id'), context.get('tenant')]
    const [[job], [statistics], lastExecutions] = await Promise.all([
      ask(GET, values),
      ask(STATISTICS, values),
      ask(LAST, values),
    ])
    return job ? context.json({ ...job, statistics, lastExecutions }, 200, FOUND) : context.notFound()
  })
  app.post('/api/jobs', async (context) => {
    const { name, jobType, cronExpression, timeZone, payload, description, tags } = await context.req.json()
    const trigger = { type: 'cron', expression: cronExpression, timeZone }
    const user = context.get('user')
    const definition = JSON.stringify({ jobType, trigger, priority: 'MEDIUM', maxAttempts: 4, queue: 'default' })
    const details = JSON.stringify({ description, tags, createdBy: user })
    const values = [context.get('tenant'), name, jobType, definition, JSON.stringify(payload), trigger, details, user]
    const [job] = await ask(CREATE, values)
    return context.json(job, 201, FOUND)
  })
  app.post('/api/jobs/:id/executar', async (context) => {
    const options = JSON.stringify({ requestedBy: context.get('user') })
    const [execution] = await ask(EXECUTE, [context.req.param('id'), context.get('tenant'), options])
    return execution ? context.json(execution, 202, FOUND) : context.notFound()
  })
  return app
}
