import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '../app-options.ts'
import { prefixOf, rootsOf } from './api-path.ts'
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

/** What Fastify takes as a plugin. */
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
    const mountedAt = instance.prefix.replace(/\/+$/, '')
    for (const path of rootsOf(app).map((root) => prefix + root)) {
      // At a path of the API itself, such as `/ops/api`, nothing beside it can be reached.
      if (!path.startsWith(mountedAt)) continue
      instance.all(path.slice(mountedAt.length), unreachable)
      instance.all(`${path.slice(mountedAt.length)}/*`, unreachable)
    }
  }
}

function unreachable(): void {}
