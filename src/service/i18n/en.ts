import type { Catalogue } from './pt-br/texts.ts'

export const jobs: Catalogue['jobs'] = {
  list: {
    title: 'Jobs and Scheduled Tasks',
    emptyState: 'No job is configured',
  },
  form: {
    name: 'Job name',
    description: 'Description',
    jobType: 'Job type',
    cronExpression: 'CRON expression',
    priority: 'Priority',
    timeout: 'Timeout (minutes)',
    requiresTwoStep: 'Requires approval?',
  },
  messages: {
    success: {
      created: 'Job created',
      updated: 'Job updated',
      executed: 'Job executed',
      deleted: 'Job deleted',
    },
    error: {
      nameAlreadyExists: 'There is a job with this name already',
      invalidCron: 'Invalid CRON expression',
      maxWorkersExceeded: 'The limit of workers is reached',
      jobNotFound: 'Job not found',
    },
  },
  validation: {
    nameRequired: 'Name is required',
    nameMinLength: 'Name must have at least 3 characters',
    cronRequired: 'CRON expression is required',
    timeoutRequired: 'Timeout is required',
    timeoutMinValue: 'Timeout must be at least 5 minutes',
    timeoutMaxValue: 'Timeout must be at most 240 minutes',
  },
  status: {
    active: 'Active',
    paused: 'Paused',
    disabled: 'Disabled',
    faulted: 'Faulted',
    pendingApproval: 'Awaiting approval',
  },
  priority: {
    high: 'High',
    medium: 'Medium',
    low: 'Low',
  },
  actions: {
    create: 'Create job',
    edit: 'Edit',
    delete: 'Delete',
    execute: 'Run now',
    pause: 'Pause',
    resume: 'Resume',
    approve: 'Approve',
    viewHistory: 'View history',
    viewLogs: 'View logs',
  },
}

const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 1 })
const percent = (share: number) => `${number(share * 100)}%`
const gigabytes = (bytes: number) => `${number(bytes / 2 ** 30)} GB`

const alerts: Catalogue['alerts'] = {
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

const flags: Catalogue['flags'] = {
  features: {
    JOBS_SCHEDULING: {
      nome: 'Jobs and schedules',
      descricao: 'Jobs fire, and executions run and are watched',
    },
    HANGFIRE_DASHBOARD: {
      nome: 'Job dashboard',
      descricao: 'The dashboard that watches jobs answers',
    },
    JOB_RETRY_POLICY: {
      nome: 'Retry policy',
      descricao: 'Executions that fail are tried again by themselves',
    },
    JOB_NOTIFICATIONS: {
      nome: 'Job notifications',
      descricao: 'Mails and webhooks about jobs are sent',
    },
  },
  suspended: 'Jobs are suspended; the execution waits in the queue until they are switched on again',
}

const kpis: Catalogue['kpis'] = {
  names: {
    successRate: 'Job success rate',
    meanDuration: 'Mean execution time',
    retryRate: 'Retry rate',
    workerUtilization: 'Worker utilization',
    queueTime: 'Queue time',
    meanTimeToRecover: 'MTTR (mean time to recover)',
    schedulerAvailability: 'Scheduler availability',
    failureAlertsSent: 'Failure alerts sent',
  },
  formulas: {
    successRate: 'Succeeded / (succeeded + failed + timed out) × 100',
    meanDuration: 'Mean duration of the last attempt of executions that ended',
    retryRate: 'Executions with a retry / all executions that ended × 100',
    workerUtilization: 'Time kept busy by attempts / (most workers × window) × 100',
    queueTime: 'Mean of (start of the last attempt − creation, or when it was due)',
    meanTimeToRecover: 'Mean of (next success of the job − the failure that faulted it)',
    schedulerAvailability: 'Minutes with a live node / minutes passed × 100',
    failureAlertsSent: 'Failures told / (final failures − those whose notification is switched off) × 100',
  },
}

const mail: Catalogue['mail'] = {
  subjects: {
    jobFailed: (job) => `Job ${job} failed`,
    alertOpened: (alert) => `Alert: ${alert}`,
    alertClosed: (alert) => `Alert over: ${alert}`,
    schedulerUnavailable: 'The scheduler is unavailable',
    scheduleRefused: (job) => `The schedule of job ${job} was refused`,
    approvalRulesPending: 'A change of the approval rules waits for a second Admin',
    approvalRulesLoosened: 'The approval rules were loosened',
    test: 'Test message',
    digest: (count) => `${count} notifications`,
  },
  intros: {
    jobFailed: 'An execution has failed for good: it is not tried again by itself.',
    alertOpened: 'A condition that is watched for has been met.',
    alertClosed: 'The condition is over.',
    schedulerUnavailable: 'No node is alive: nothing fires and nothing runs.',
    scheduleRefused: 'The job was not fired, because whoever scheduled it may not do so any more.',
    approvalRulesPending:
      'An Admin wants to loosen an approval rule. The current rule holds until a second Admin approves the change.',
    approvalRulesLoosened: 'From now on less approval is needed than before. Any Admin can restore the rule at once.',
    test: 'If you have got this message, the notifications of this client work.',
    digest: (count, listed) =>
      count > listed ? `There were ${count}; the first ${listed} are listed.` : `There were ${count}.`,
  },
  labels: {
    job: 'Job',
    jobType: 'Job type',
    failedAt: 'Time of failure',
    at: 'Time',
    error: 'Error',
    action: 'Recommended action',
    attempts: 'Attempts',
    execution: 'Execution',
    alert: 'Alert',
    value: 'Measured',
    rule: 'Rule',
    requestedBy: 'Requested by',
    decidedBy: 'Approved by',
    link: 'Open in Pontual',
  },
  rules: { allowsSelfApproval: 'The person who schedules a sensitive job may approve it' },
  actions: {
    timeout:
      'The execution took longer than it may. Find out what held it up (a slow service, a lock, more data), and raise the timeout of the job if so long is usual.',
    network:
      'A service could not be reached. Check its address, DNS, firewalls and whether it is up; then retry the execution.',
    permission:
      'Access was denied. Check the credentials, permissions and expiry dates that the job uses; then retry the execution.',
    validation:
      'The data was not accepted. Correct the payload or the settings of the job; to retry without that fails again.',
    crash:
      'The process ended or ran out of memory. Check how much memory it needs for how much data; split the work or raise the limit.',
    lost: 'The node that ran the job stopped answering. Check whether its process or machine was ended; then retry the execution.',
    undecryptable:
      'What is stored could not be decrypted. Check the encryption keys that are configured on every node; do not remove keys that are in use.',
    unknown: 'Look at the logs of the execution, remove the cause, and retry the execution.',
  },
  unknownJob: 'that is gone',
  erased: 'erased',
  footer: 'You get this message because your address is in the notification settings of this client.',
}

const problems: Catalogue['problems'] = {
  titles: {
    400: 'Validation failed',
    401: 'Authentication required',
    403: 'Forbidden',
    404: 'Not found',
    405: 'Method not allowed',
    406: 'Not acceptable',
    408: 'Request timeout',
    409: 'Conflict',
    410: 'Gone',
    412: 'Stale version',
    413: 'Payload too large',
    414: 'URI too long',
    415: 'Unsupported media type',
    417: 'Expectation failed',
    422: 'Idempotency key reused',
    429: 'Too many requests',
    431: 'Request header fields too large',
    500: 'Internal error',
    503: 'Temporarily unavailable',
  },
}

export const EN: Catalogue = { alerts, flags, jobs, kpis, mail, problems }
