import { connect } from 'node:net'

/** Sends bytes as they are, and gives everything that comes back until the connection ends. */
export function exchange(url: string, ...parts: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      for (const part of parts) socket.write(part)
    })
    socket.setEncoding('latin1')
    socket.on('data', (text) => {
      received += String(text)
    })
    socket.on('close', () => resolve(received))
    socket.on('error', (error) => (received === '' ? reject(error) : undefined))
  })
}

/** The statuses of all answers in what came back. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
}
