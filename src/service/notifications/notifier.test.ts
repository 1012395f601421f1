import { expect, it } from 'vitest'
import { MailInbox } from '../../../test/http/service/mail-inbox.ts'
import { ana, fields } from '../../../test/http/service/stage.ts'
import { job } from '../../job/type/job-type.ts'
import { pontual } from '../../pontual.ts'
import { memory } from '../../store/memory/memory.ts'
import { createService } from '../service.ts'

const failing = job('Falhar', {
  retry: { retries: 0 },
  run: () => {
    throw new Error('no such file')
  },
})

it('a service tells of a failure by itself, and ends with its application', async () => {
  await using inbox = await MailInbox.open()
  const app = pontual({ store: memory(), jobs: [failing], logger: 'silent' })
  const service = createService(app, {
    mail: { host: '127.0.0.1', port: inbox.port, from: 'jobs@example.com' },
  })
  try {
    await service.ready()
    await app.start()
    await service.administration.updateSettings(ana, { adminAddresses: ['ana@example.com'] }, null)
    const arriving = inbox.next()
    const { id } = await service.jobs.create(ana, fields({ jobType: 'Falhar' }))
    const { executionId } = await service.jobs.execute(ana, id, {})
    expect((await arriving).text).toContain(executionId)
  } finally {
    service.close()
    await app.stop()
  }
  expect(inbox.mails).toHaveLength(1)
})
