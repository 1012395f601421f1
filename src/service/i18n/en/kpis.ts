import type { kpis as source } from '../pt-br/kpis.ts'

export const kpis: typeof source = {
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
