import type { App } from '../../../src/server/app-options.ts'

/** What the echo has heard. */
export interface Heard {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly address: string | null
  readonly contentType: string | null
}

/** An API that answers with what it was asked, so that nothing gets lost on the way unseen. `/api/jobs/stream` never ends by itself. */
export class EchoApp implements App {
  isClosed = false
  readonly hasDashboard: boolean
  /** Resolves when whoever listened to a stream has gone. */
  readonly left: Promise<void>
  #leave: () => void = () => {}

  constructor({ hasDashboard = false }: { readonly hasDashboard?: boolean } = {}) {
    this.hasDashboard = hasDashboard
    this.left = new Promise((resolve) => {
      this.#leave = resolve
    })
  }

  fetch: App['fetch'] = async (request, connection) => {
    const { pathname, search } = new URL(request.url)
    if (pathname === '/api/jobs/stream') return this.#stream(request)
    const isOurs =
      /^\/api\/(jobs|session)(\/|$)/.test(pathname) || (this.hasDashboard && /^\/jobs(\/|$)/.test(pathname))
    if (!isOurs) return new Response(null, { status: 404 })
    const body = request.body === null ? '' : await request.text()
    const heard: Heard = {
      method: request.method,
      path: pathname + search,
      body,
      address: connection?.address ?? null,
      contentType: request.headers.get('content-type'),
    }
    return Response.json(heard, {
      status: request.method === 'POST' ? 201 : 200,
      headers: { location: '/api/jobs/1', 'x-content-type-options': 'nosniff' },
    })
  }

  close(): void {
    if (!this.isClosed) this.#end()
    this.isClosed = true
  }

  #end: () => void = () => {}

  #stream(request: Request): Response {
    request.signal.addEventListener('abort', () => this.#leave())
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('id: 1\n\n'))
        this.#end = () => controller.close()
      },
      cancel: () => this.#leave(),
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}
