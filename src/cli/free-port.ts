import { createServer } from 'node:net'
import { InvalidInputError } from '../errors.ts'

/** Refuses a port on which something else listens. `chosenBy`: with what another is chosen. */
export async function requireFreePort(host: string, port: number, chosenBy: string): Promise<void> {
  if (port === 0) return
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
  } catch (error) {
    throw portError(error, host, port, chosenBy)
  }
  await new Promise((resolve) => server.close(resolve))
}

/** What listening has ended with, in words where that is known. */
export function portError(error: unknown, host: string, port: number, chosenBy: string): unknown {
  if ((error as NodeJS.ErrnoException | null)?.code !== 'EADDRINUSE') return error
  const message = `Port ${port} of ${host} is taken: end what listens there, or choose another with ${chosenBy}.`
  return new InvalidInputError('serve.port_taken', message, { host, port })
}
