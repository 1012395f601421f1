import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands before a server. Muted, it lets nothing through and says nothing: what a cable that was pulled looks like. */
export interface MuteProxy {
  readonly url: string
  /** Also those that connect from now on. */
  mute(isMuted: boolean): void
  /** Held back, the server's messages arrive all at once when they are released, in one read of the client. */
  hold(isHeld: boolean): void
  close(): void
}

export async function startMuteProxy(serverUrl: string): Promise<MuteProxy> {
  const { hostname, port } = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let isMuted = false
  let isHeld = false
  const held: (() => void)[] = []
  const whenReleased = (act: () => void) => {
    if (isHeld) held.push(act)
    else act()
  }
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    // What was muted once stays so: its other side is gone.
    let isDeaf = isMuted
    const isThrough = () => {
      isDeaf ||= isMuted
      return !isDeaf
    }
    client.on('data', (chunk) => isThrough() && server.write(chunk))
    server.on('data', (chunk) => isThrough() && whenReleased(() => client.write(chunk)))
    client.on('close', () => server.destroy())
    server.on('close', () => isThrough() && whenReleased(() => client.destroy()))
    for (const socket of [client, server]) {
      socket.on('error', () => {})
      sockets.add(socket)
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: url.href,
    mute: (muted) => {
      isMuted = muted
    },
    hold: (isToHold) => {
      isHeld = isToHold
      if (!isHeld) for (const act of held.splice(0)) act()
    },
    close: () => {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
