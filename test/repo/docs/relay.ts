import { readFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** An address that leads to whatever service a page runs at the moment. It is there before the first of them, and stays the same. */
export interface Relay extends AsyncDisposable {
  readonly url: string
}

/** `portFile`: where the port of the service stands while it listens. */
export async function openRelay(portFile: string): Promise<Relay> {
  const sockets = new Set<Socket>()
  const server = createServer((asking) => {
    void readFile(portFile, 'utf8').then(
      (port) => join(asking, connect(Number(port), '127.0.0.1')),
      () => asking.destroy(),
    )
  })
  const join = (one: Socket, other: Socket) => {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroySoon()
      })
      from.pipe(to)
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
