import type pg from 'pg'
import { listenToNotices, reportPlans } from '../harness/postgres/auto-explain.ts'

/** A statement that took long, as the server saw it. */
export interface SlowStatement {
  readonly ms: number
  /** How much of that it was at work: the rest it waited, for a core that others had. */
  readonly cpuMs: number
  readonly text: string
  /** What it did, with rows and pages. */
  readonly plan: string
}

const USED = /(\d+\.\d+) s user, (\d+\.\d+) s system, \d+\.\d+ s elapsed/

const TOLD = /^duration: ([\d.]+) ms {2}plan:\nQuery Text: ([\s\S]*?)\n((?:\w[^\n]*\(cost=|Query Parameters: )[\s\S]*)$/

/**
 * Has a database tell whoever asks which of his statements took longer than so many milliseconds, with their plans: without what planning takes, and what the
 * way to it and back takes. Only of connections that are opened from now on, in this process.
 */
export async function tellSlowStatements(url: string, longestMs: number): Promise<readonly SlowStatement[]> {
  await reportPlans(url, {
    'auto_explain.log_min_duration': String(longestMs),
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
    log_executor_stats: 'on',
    client_min_messages: 'log',
  })
  const told: SlowStatement[] = []
  // What a statement used is told before what it did.
  const used = new WeakMap<pg.Client, number>()
  listenToNotices(({ client, message, detail }) => {
    const [, user, system] = USED.exec(detail) ?? []
    if (user !== undefined) used.set(client, Math.round(1_000 * (Number(user) + Number(system))))
    const [, ms, text, plan = ''] = TOLD.exec(message) ?? []
    if (text !== undefined) told.push({ ms: Math.round(Number(ms)), cpuMs: used.get(client) ?? Number.NaN, text, plan })
  })
  return told
}
