import type { mail as source } from '../pt-br/mail.ts'

export const mail: typeof source = {
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
