import type { jobs as source } from '../pt-br/jobs.ts'

export const jobs: typeof source = {
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
