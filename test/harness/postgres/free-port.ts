import { createServer } from 'node:net'

/** A port of the loopback that nobody listens on; someone may take it before its user does. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address === 'object' && address) return address.port
  throw new Error('The system gave no port.')
}
