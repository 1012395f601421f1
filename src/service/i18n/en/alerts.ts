import type { alerts as source } from '../pt-br/alerts.ts'

const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 1 })
const percent = (share: number) => `${number(share * 100)}%`
const gigabytes = (bytes: number) => `${number(bytes / 2 ** 30)} GB`

export const alerts: typeof source = {
  jobFailed: {
    name: 'Job failed',
    describe: () => 'The job has failed after all of its attempts.',
    action: 'Open a ticket, fix the cause and run the job again.',
  },
  workersSaturated: {
    name: 'Worker pool saturated',
    describe: (value, threshold) => `${number(value)} workers are active; the limit is ${number(threshold)}.`,
    action: 'Consider more capacity.',
  },
  queueCongested: {
    name: 'Queue congested',
    describe: (value, threshold) => `${number(value)} executions wait in the queue; the limit is ${number(threshold)}.`,
    action: 'Look into slow workers.',
  },
  timeoutsFrequent: {
    name: 'Frequent timeouts',
    describe: (value, threshold) =>
      `${percent(value)} of the attempts of the last hour have timed out; the limit is ${percent(threshold)}.`,
    action: 'Raise the timeout, or make the job faster.',
  },
  schedulerUnavailable: {
    name: 'Scheduler unavailable',
    describe: (value) => `No node has lived for ${number(Math.floor(value))} seconds: no job runs.`,
    action: 'Page the engineer on call.',
  },
  auditFull: {
    name: 'Audit log full',
    describe: (value, threshold) =>
      `The audit log of this month takes ${gigabytes(value)}; the limit is ${gigabytes(threshold)}.`,
    action: 'Archiving has begun; look into what writes so much.',
  },
}
