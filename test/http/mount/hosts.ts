import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import type { App } from '../../../src/server/app-options.ts'
import { expressHandler } from '../../../src/server/mount/express.ts'
import { fastifyPlugin } from '../../../src/server/mount/fastify.ts'
import { nodeListener } from '../../../src/server/mount/node-listener.ts'
import { honoMiddleware, nextHandlers } from '../../../src/server/mount/web.ts'

/** A server of somebody's own that the API is mounted in, and that has a page of its own at `/own`. */
export interface Host {
  readonly url: string
  close(): Promise<void>
}

type StartHost = (app: App, prefix: string) => Promise<Host>

async function listen(listener: RequestListener): Promise<Host> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function expressHost(...before: readonly ReturnType<typeof express.json>[]): StartHost {
  return (app, prefix) => {
    const host = express()
    for (const each of before) host.use(each)
    host.use(prefix === '' ? '/' : prefix, expressHandler(app))
    host.get('/own', (_request, response) => void response.send('own'))
    return listen(host)
  }
}

/** Every way to mount the API. */
export const HOSTS: Readonly<Record<string, StartHost>> = {
  'node:http': (app, prefix) => {
    const listener = nodeListener(app, { prefix })
    return listen((incoming, outgoing) => {
      if (incoming.url === '/own') outgoing.end('own')
      else listener(incoming, outgoing)
    })
  },
  Express: expressHost(),
  'Express behind express.json()': expressHost(express.json({ limit: '2mb' })),
  'Express behind express.json() and express.text()': expressHost(express.json(), express.text({ type: '*/*' })),
  'Express behind express.raw()': expressHost(express.raw({ type: '*/*' })),
  'Express at the path of the API itself': (app, prefix) => {
    const host = express()
    host.use(`${prefix}/api`, expressHandler(app))
    host.get('/own', (_request, response) => void response.send('own'))
    return listen(host)
  },
  Fastify: async (app, prefix) => {
    const host = fastify()
    await host.register(fastifyPlugin(app), { prefix })
    host.get('/own', async () => 'own')
    const url = await host.listen({ port: 0, host: '127.0.0.1', listenTextResolver: () => '' })
    return {
      url,
      async close() {
        host.server.closeAllConnections()
        await host.close()
      },
    }
  },
  Hono: (app, prefix) => {
    const host = new Hono()
    host.use(honoMiddleware(app, { prefix }))
    host.get('/own', (context) => context.text('own'))
    return listen((incoming, outgoing) => void getRequestListener(host.fetch)(incoming, outgoing))
  },
  Next: (app, prefix) => {
    // What Next does: it finds the handler by method, and hands over a web request.
    const handlers = nextHandlers(app, { prefix })
    const listener = getRequestListener((request) => {
      if (new URL(request.url).pathname === '/own') return new Response('own')
      const handler = handlers[request.method as keyof typeof handlers]
      return handler(request)
    })
    return listen((incoming, outgoing) => void listener(incoming, outgoing))
  },
}
