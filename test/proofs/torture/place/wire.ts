import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { Wire, WireMode } from '../stage.ts'
import { Link } from './link.ts'

/** A wire between one process and the server that `serverUrl` names, on the loopback. */
export async function openWire(serverUrl: string): Promise<Wire & AsyncDisposable> {
  const wire = new TcpWire(new URL(serverUrl))
  await wire.listen()
  return wire
}

class TcpWire implements Wire, AsyncDisposable {
  readonly #target: URL
  readonly #server: Server
  readonly #links = new Set<Link>()
  #mode: WireMode = 'open'
  /** How many answers each of those has lost who asked for it. */
  readonly #lost = new Map<AbortSignal, number>()

  constructor(target: URL) {
    this.#target = target
    this.#server = createServer({ noDelay: true }, (client) => this.#accept(client))
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(0, '127.0.0.1', resolve)
    })
  }

  get url(): string {
    const url = new URL(this.#target)
    url.hostname = '127.0.0.1'
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  set(mode: WireMode): void {
    this.#mode = mode
    for (const link of this.#links) link.set(mode)
  }

  cut(): number {
    const { size } = this.#links
    for (const link of this.#links) link.cut()
    this.#links.clear()
    return size
  }

  async cutAfterCommits(until: AbortSignal): Promise<number> {
    this.#lost.set(until, 0)
    if (!until.aborted) await new Promise((resolve) => until.addEventListener('abort', resolve, { once: true }))
    const lost = this.#lost.get(until) ?? 0
    this.#lost.delete(until)
    return lost
  }

  stallListeners(): number {
    const listeners = [...this.#links].filter(({ isListening }) => isListening)
    for (const link of listeners) link.deafen()
    return listeners.length
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.set('gone')
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #accept(client: Socket): void {
    const server = connect({ port: Number(this.#target.port), host: this.#target.hostname, noDelay: true })
    const link = new Link({ client, server, mode: this.#mode, losesCommit: () => this.#losesCommit() })
    this.#links.add(link)
    client.on('close', () => this.#links.delete(link))
  }

  #losesCommit(): boolean {
    for (const [until, lost] of this.#lost) this.#lost.set(until, lost + 1)
    return this.#lost.size > 0
  }
}
