import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** People who ask a service for this and that, each one question after the other, for as long as they are told to. */
export interface CrowdOptions {
  readonly url: string
  /** One for each tenant. */
  readonly tokens: readonly string[]
  readonly clients: number
  readonly lastsMs: number
}

/** What the crowd was answered. */
export interface CrowdReport {
  /** How often each status came; 0: no answer at all. */
  readonly statuses: Readonly<Record<string, number>>
  /** Of answers that are not 503, in milliseconds. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** Ids of what was acknowledged. */
  readonly jobs: readonly string[]
  readonly executions: readonly string[]
  /** Answers that nobody expects, in short. */
  readonly strange: readonly string[]
  /** How many 503 came without a `Retry-After` of at most 5 seconds. */
  readonly unhelpful: number
  /** The longest stretch of time in which nothing succeeded. */
  readonly longestGapMs: number
}

interface Reply {
  readonly status: number
  readonly retryAfter: number
  readonly text: string
}

const MOST_STRANGE = 20
/** Of each client, also on a machine that takes longer for the first one than the crowd is to last. */
const FEWEST_QUESTIONS = 2
/** So long they wait who were told to come back, at most: the crowd has little time. */
const LONGEST_WAIT_MS = 1_000

export async function crowd({ url, tokens, clients, lastsMs }: CrowdOptions): Promise<CrowdReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const begunAt = performance.now()
  const statuses: Record<string, number> = {}
  const times: number[] = []
  const jobs: string[] = []
  const executions: string[] = []
  const strange: string[] = []
  let unhelpful = 0
  let lastSuccessAt = begunAt
  let longestGapMs = 0
  let made = 0

  const ask = async (token: string, method: string, path: string, body?: object): Promise<Reply | null> => {
    const askedAt = performance.now()
    const reply = await send(agent, url + path, token, method, body).catch((error: NodeJS.ErrnoException) =>
      unanswered(error, `${method} ${path} ${Math.round(performance.now() - askedAt)} ms`),
    )
    const now = performance.now()
    statuses[reply?.status ?? 0] = (statuses[reply?.status ?? 0] ?? 0) + 1
    if (reply === null) return null
    if (reply.status === 503) {
      if (!(reply.retryAfter > 0 && reply.retryAfter <= 5)) unhelpful += 1
      await sleep(Math.min(reply.retryAfter * 1_000, LONGEST_WAIT_MS))
      return null
    }
    times.push(now - askedAt)
    if (reply.status >= 400) {
      if (strange.length < MOST_STRANGE) strange.push(`${method} ${path} ${reply.status} ${reply.text.slice(0, 300)}`)
      return null
    }
    longestGapMs = Math.max(longestGapMs, now - lastSuccessAt)
    lastSuccessAt = now
    return reply
  }

  /** Nobody may be left without an answer. */
  function unanswered(error: NodeJS.ErrnoException, asked: string): null {
    const seconds = Math.round((performance.now() - begunAt) / 1_000)
    if (strange.length < MOST_STRANGE) strange.push(`${asked} ${error.code ?? ''} ${error.message} after ${seconds} s`)
    return null
  }

  const live = async (token: string): Promise<void> => {
    const own: string[] = []
    for (let turn = 0; turn < FEWEST_QUESTIONS || performance.now() - begunAt < lastsMs; turn += 1) {
      const known = own[turn % Math.max(own.length, 1)]
      if (known === undefined || turn % 25 === 24) {
        made += 1
        const fields = { name: `crowd ${made}`, jobType: 'work', cronExpression: '0 3 * * *', payload: { n: made } }
        const reply = await ask(token, 'POST', '/api/jobs', fields)
        if (reply === null) continue
        const { id } = JSON.parse(reply.text) as { id: string }
        own.push(id)
        jobs.push(id)
      } else if (turn % 5 === 0) {
        const reply = await ask(token, 'POST', `/api/jobs/${known}/executar`, {})
        if (reply !== null) executions.push((JSON.parse(reply.text) as { executionId: string }).executionId)
      } else {
        await ask(token, 'GET', QUESTIONS[turn % QUESTIONS.length]?.(known) ?? '/api/jobs')
      }
    }
  }

  await Promise.all(Array.from({ length: clients }, (_, nth) => live(tokens[nth % tokens.length] ?? '')))
  agent.destroy()
  times.sort((one, other) => one - other)
  const at = (share: number) => Math.round((times[Math.floor(times.length * share)] ?? 0) * 10) / 10
  const report = { statuses, p50Ms: at(0.5), p99Ms: at(0.99), jobs, executions, strange, unhelpful }
  return { ...report, longestGapMs: Math.round(longestGapMs) }
}

const QUESTIONS: readonly ((jobId: string) => string)[] = [
  () => '/api/jobs?limit=20',
  (jobId) => `/api/jobs/${jobId}`,
  (jobId) => `/api/jobs/${jobId}/historico?limit=20`,
  (jobId) => `/api/jobs/${jobId}/nextExecution`,
  () => '/api/jobs/executions?limit=20',
  () => '/api/jobs/workers',
  (jobId) => `/api/jobs/${jobId}/logs`,
]

function send(agent: Agent, url: string, token: string, method: string, body?: object): Promise<Reply> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    }
    const asking = request(url, { agent, method, headers }, (answer) => {
      let received = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        received += chunk
      })
      answer.on('error', reject)
      answer.on('end', () => {
        const retryAfter = Number(answer.headers['retry-after'] ?? 0)
        resolve({ status: answer.statusCode ?? 0, retryAfter, text: received })
      })
    })
    asking.on('error', reject)
    asking.end(text)
  })
}
