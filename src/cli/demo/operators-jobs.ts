import type { NewJobFields } from '../../service/job-view.ts'
import type { DemoTexts } from './texts.ts'

type NamedFields = NewJobFields & { readonly name: string }

/** Jobs that the operators of the demo's company have created: at midnight on three continents, on business days, by intervals. */
export function operatorsJobs({
  company,
  businessDays,
  makeReport,
  nightlyRoutine,
  operators,
}: DemoTexts): NamedFields[] {
  const { timeZone } = company
  const { atMidnight, billing, ticketReport, boardReport } = operators
  return [
    ...atMidnight.map(({ name, timeZone: zone, things, tags }) => ({
      name,
      jobType: nightlyRoutine.name,
      cronExpression: '0 0 * * *',
      timeZone: zone,
      payload: { things },
      tags,
    })),
    {
      name: billing.name,
      description: billing.description,
      jobType: nightlyRoutine.name,
      priority: 'HIGH',
      tags: billing.tags,
      payload: { things: billing.things, batches: 12 },
      trigger: {
        type: 'calendared',
        trigger: { type: 'cron', expression: '0 8 1 * *', timeZone },
        calendar: { type: 'weekly', weekdays: [0, 6] },
        onExcluded: 'nextDay',
      },
    },
    {
      name: ticketReport.name,
      description: ticketReport.description,
      jobType: makeReport.name,
      tags: ticketReport.tags,
      calendar: businessDays.name,
      payload: { title: ticketReport.title, format: 'xlsx', sections: [makeReport.sections.tickets] },
      trigger: {
        type: 'dailyTimeInterval',
        every: 30,
        unit: 'minute',
        from: '08:00:00',
        to: '18:00:00',
        weekdays: [1, 2, 3, 4, 5],
        timeZone,
        repeatCount: -1,
      },
    },
    {
      name: boardReport.name,
      description: boardReport.description,
      jobType: makeReport.name,
      priority: 'LOW',
      tags: boardReport.tags,
      cronExpression: '0 7 * * 1',
      timeZone,
      calendar: businessDays.name,
      misfirePolicy: 'fireOnce',
      payload: { title: boardReport.title, isConfidential: true, copies: 3 },
    },
  ]
}

/** A job that was approved and then changed, so it waits for a second approval. */
export function changedJob({ company, nightlyRoutine, operators: { changed } }: DemoTexts): NamedFields {
  const { name, description, tags, things } = changed
  return {
    name,
    description,
    jobType: nightlyRoutine.name,
    requiresTwoStepExecution: true,
    tags,
    cronExpression: '30 6 * * 1-5',
    timeZone: company.timeZone,
    retryCount: 3,
    payload: { things, batches: 4 },
  }
}

/** The change of that job. */
export function changeOf({ operators: { changed } }: DemoTexts) {
  return { cronExpression: '0 3 * * *', retryCount: 0, payload: { things: changed.things, batches: 40 } }
}

/** The tags that operators have given to jobs of the code, by the name of the job. */
export function tagsOf(texts: DemoTexts): ReadonlyMap<string, readonly string[]> {
  const { processOrder } = texts
  return new Map([
    ...[
      texts.importInvoices,
      texts.syncDirectory,
      texts.deleteObsolete,
      processOrder,
      texts.reconcilePayments,
      texts.exportLegacy,
    ].map(({ name, tags }): [string, readonly string[]] => [name, tags]),
    [processOrder.largeName, processOrder.largeTags],
  ])
}
