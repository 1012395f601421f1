import { shellWord } from '../print/shell-word.ts'
import type { Listening } from './supervise.ts'

/** What whoever has started `pontual dev` is told. Each of its commands can be pasted as it stands. */
export function greeting({ url, dashboardUrl, jobs }: Listening): string {
  const place = dashboardUrl === null ? `It listens on ${url}` : `The dashboard is at ${dashboardUrl}`
  const [first] = jobs
  return `
${place}, for this machine only. Whoever asks is Admin: this is for trying out, not for production.

  curl ${url}/api/jobs                       # the jobs
${first === undefined ? '' : enqueueing(url, first)}  curl ${url}/api/jobs/executions            # what has run
  curl -N ${url}/api/jobs/events             # what happens, as it happens
  curl ${url}/api/jobs/openapi.json          # everything that can be asked

Ctrl+C ends it.
`
}

function enqueueing(url: string, job: string): string {
  return `  curl ${url}/api/jobs/enqueue \\
    -H 'content-type: application/json' \\
    -d ${shellWord(JSON.stringify({ jobName: job }))}${' '.repeat(Math.max(1, 41 - job.length))}# run one of them now
`
}
