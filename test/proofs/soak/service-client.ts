import { connect, type Socket } from 'node:net'

/** Asks a service over HTTP. */
export class ServiceClient {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  async createJob(tenant: string, fields: { readonly name: string; readonly jobType: string }): Promise<void> {
    await this.post(tenant, '/api/jobs', { cronExpression: '0 2 1 1 *', ...fields })
  }

  async get(tenant: string, path: string): Promise<unknown> {
    return await this.#send(path, { headers: { 'x-tenant': tenant } })
  }

  async post(tenant: string, path: string, body: object, idempotencyKey?: string): Promise<unknown> {
    const headers = {
      'x-tenant': tenant,
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    }
    return await this.#send(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  /** A stream whose client reads nothing by itself: call `read` of the socket for so many bytes. */
  async openUnread(tenant: string, path: string): Promise<Socket> {
    const { hostname, port } = new URL(this.#url)
    const socket = connect({ host: hostname, port: Number(port) })
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    // What is cut off is opened anew by whoever watches over it.
    socket.on('error', () => {})
    socket.pause()
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nx-tenant: ${tenant}\r\naccept: text/event-stream\r\n\r\n`,
    )
    return socket
  }

  /** A stream that is read as fast as it comes, until its end. */
  async readAll(tenant: string, path: string, signal: AbortSignal): Promise<void> {
    try {
      const response = await fetch(`${this.#url}${path}`, { headers: { 'x-tenant': tenant }, signal })
      if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
      await response.body?.pipeTo(new WritableStream(), { signal })
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  async #send(path: string, init: RequestInit): Promise<unknown> {
    const response = await fetch(`${this.#url}${path}`, init)
    const text = await response.text()
    if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${path} answered ${response.status}: ${text}`)
    return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
  }
}
