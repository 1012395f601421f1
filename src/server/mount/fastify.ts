import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '../app-options.ts'
import { API_ROOTS, prefixOf } from './api-path.ts'
import { arrivalListener } from './arrival-listener.ts'

/** What of Fastify is used. */
interface FastifyRequest {
  readonly raw: IncomingMessage
  /** By Fastify's own `trustProxy`. */
  readonly ip: string
}

interface FastifyReply {
  readonly raw: ServerResponse
  hijack(): unknown
}

interface FastifyInstance {
  readonly prefix: string
  addHook(name: 'onRequest', hook: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void): unknown
  all(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => void): unknown
}

export type FastifyPlugin = (instance: FastifyInstance) => Promise<void>

/** A plugin for Fastify: `await server.register(fastifyPlugin(api), { prefix: '/ops' })`. */
export function fastifyPlugin(app: App): FastifyPlugin {
  const answer = arrivalListener(app)
  return async (instance) => {
    const prefix = prefixOf(instance.prefix)
    // Before Fastify looks at the body: it is read once, and strictly.
    instance.addHook('onRequest', (request, reply) => {
      reply.hijack()
      const url = (request.raw.url ?? '').slice(prefix.length)
      void answer(request.raw, reply.raw, { url, prefix, address: request.ip })
    })
    for (const root of API_ROOTS) {
      const path = `${prefix}${root}`.slice(instance.prefix.replace(/\/+$/, '').length)
      instance.all(path, unreachable)
      instance.all(`${path}/*`, unreachable)
    }
  }
}

function unreachable(): void {}
