import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import { SignJWT } from 'jose'
import { JOB_TYPE, SECRET, TENANT } from './_api-data.mjs'

// Whoever asks, in a process of its own; it ends with the one that started it.
const { port, connections, ids } = JSON.parse(process.argv[2])
process.once('disconnect', () => process.exit())

const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' })
const token = await new SignJWT({ clienteId: TENANT, profile: 'Admin' })
  .setProtectedHeader({ alg: 'HS256' })
  .setSubject('bench')
  .setIssuedAt()
  .setExpirationTime('1h')
  .sign(new TextEncoder().encode(SECRET))
const authorization = `Bearer ${token}`
const series = createHash('sha256').update(String(process.hrtime.bigint())).digest('hex').slice(0, 8)
let made = 0

const VERBS = {
  list: { status: 200, of: () => ['GET', '/api/jobs?limit=20'] },
  get: { status: 200, of: (n) => ['GET', `/api/jobs/${ids[n % ids.length]}`] },
  create: { status: 201, of: () => ['POST', '/api/jobs', JSON.stringify(newJob())] },
  execute: { status: 202, of: (n) => ['POST', `/api/jobs/${ids[n % ids.length]}/executar`] },
}

process.on('message', ({ verb, count }) => void run(VERBS[verb], count).then((answer) => process.send({ answer })))
process.send({ isReady: true })

/** So many requests, of which as many are under way as there are connections. Resolves to how long each took, in milliseconds. */
async function run({ status, of }, count) {
  const times = []
  let next = 0
  const caller = async () => {
    while (next < count) {
      const start = performance.now()
      await ask(of(next++), status)
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  return times
}

function ask([method, path, body], expected) {
  return new Promise((resolve, reject) => {
    const headers = body
      ? { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      : { authorization }
    const asking = request({ agent, host: '127.0.0.1', port, method, path, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('error', reject)
      answer.on('end', () => {
        if (answer.statusCode === expected) resolve()
        else reject(new Error(`${method} ${path} gave ${answer.statusCode}: ${text}`))
      })
    })
    asking.on('error', reject)
    asking.end(body)
  })
}

function newJob() {
  const name = `made-${series}-${made++}`
  return {
    name,
    jobType: JOB_TYPE,
    description: 'Reads the invoices of a day',
    cronExpression: '0 3 * * *',
    timeZone: 'America/Sao_Paulo',
    payload: { source: `s3://invoices/${name}`, isFull: true },
    tags: ['invoices', 'daily'],
  }
}
