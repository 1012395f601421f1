import { somebody } from '../../../http/service/stage.ts'
import { type Act, type Asking, wish } from './asking.ts'

const [ana, bia] = [somebody('ana'), somebody('bia')]

export const createSensitive: Act = (asking) =>
  wish(asking, 'sensitive', () =>
    asking.service.jobs.create(ana, {
      name: 'sensitive',
      jobType: 'sensitive',
      cronExpression: '* * * * *',
      payload: { version: 0 },
      requiresTwoStepExecution: true,
    }),
  )

export const editSensitive: Act = async (asking) => {
  const id = await idOf(asking)
  const version = asking.nextNumber()
  if (id !== null) await asking.service.jobs.update(ana, id, { payload: { version } })
}

export const approveSensitive: Act = async (asking) => {
  const id = await idOf(asking)
  const by = asking.chance.isIn(0.8) ? bia : ana
  if (id !== null) await asking.service.jobs.approve(by, id, { comment: 'seen' })
}

export const runSensitive: Act = async (asking) => {
  const id = await idOf(asking)
  if (id !== null) await asking.service.jobs.execute(ana, id, {})
}

/** From then on somebody is told of failures. */
export const subscribe: Act = async ({ service, promised }) => {
  const change = { adminAddresses: ['ops@example.com'], mailEvents: ['job.failed'] as const, digestMinutes: 0 }
  await service.administration.updateSettings(ana, change, null)
  promised.hasReaders = true
}

async function idOf({ service }: Asking): Promise<string | null> {
  const query = { limit: 10, q: 'sensitive', sort: 'name', isDescending: false } as const
  const { items } = await service.jobs.list(ana, query)
  return items.find(({ name }) => name === 'sensitive')?.id ?? null
}
