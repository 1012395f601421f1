// What serves speaks of node:http: whoever uses it from TypeScript has the types of Node.

import {
  builtInTypes,
  createApi,
  expressHandler,
  fastifyPlugin,
  honoMiddleware,
  nextHandlers,
  nodeListener,
  serve,
} from 'pontual/server'
import { app } from './use.ts'

export const api = await createApi(app, { identity: { apiKeys: true }, prefix: '/ops' })
export const { service } = api
export const served = () => serve(api, { port: 0 })
export const listener = nodeListener(api, { prefix: '/ops' })
export const [express, fastify, hono] = [expressHandler(api), fastifyPlugin(api), honoMiddleware(api)]
export const { GET, POST } = nextHandlers(api)
export const types = builtInTypes(() => app)
