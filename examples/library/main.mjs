// Jobs in a program of your own, without a server: one on a schedule, one that the program asks for, one that follows it.

import { fileURLToPath } from 'node:url'
import { cron, job, pontual } from 'pontual'
import { pglite } from 'pontual/pglite'
import { postgres } from 'pontual/postgres'

const FOLDER = process.env.DATA ?? fileURLToPath(new URL('./.data', import.meta.url))

/** Stands for a mail server that is busy at the first attempt. */
function deliver(invoice, attempt) {
  if (attempt === 1) throw new Error('The mail server is busy')
  return `invoice-${invoice}@mail.example.com`
}

const archiveInvoice = job('archive-invoice', {
  run: ({ invoice }) => {
    console.log(`Invoice ${invoice} is in the archive`)
    return { archived: invoice }
  },
})

const sendInvoice = job('send-invoice', {
  retry: { retries: 3, initial: '1s', factor: 2, jitter: 'none' },
  timeout: '1m',
  run: async ({ invoice }, { attempt }) => {
    console.log(`Invoice ${invoice}, attempt ${attempt}`)
    return { messageId: deliver(invoice, attempt) }
  },
})

const refreshRates = job('refresh-rates', {
  schedule: {
    trigger: cron('*/2 * * * * *', { timeZone: 'America/Sao_Paulo' }),
    misfire: { policy: 'skipToNext' }, // while it was off: not the past ones, the next one
  },
  run: (_input, { scheduledAt }) => console.log(`Rates as of ${new Date(scheduledAt).toISOString()}`),
})

const app = pontual({
  application: 'billing',
  store: process.env.DATABASE_URL ? postgres(process.env.DATABASE_URL) : pglite(FOLDER),
  jobs: [archiveInvoice, sendInvoice, refreshRates],
})
await app.start()

const invoice = Number(process.argv[2] ?? 42)
// The same invoice is sent once, however often the program is started.
const sent = await app.enqueue(sendInvoice, { invoice }, { idempotencyKey: `invoice-${invoice}` })
console.log(sent.isNew ? `Invoice ${invoice} is on its way` : `Invoice ${invoice} was enqueued before`)
const archiving = { after: sent, idempotencyKey: `archive-${invoice}` }
const archived = await app.enqueue(archiveInvoice, { invoice }, archiving)

const { status, output, attempt } = await app.waitFor(sent.id)
console.log(`Invoice ${invoice}: ${status} in attempt ${attempt}`, output)
await app.waitFor(archived.id)

const next = await app.upcoming('refresh-rates', 2)
console.log('Rates are next refreshed at', next.map((at) => new Date(at).toISOString()).join(' and '))
await app.stop() // running work ends first
