import { expect, it } from 'vitest'
import { InFlight } from './in-flight.ts'

it('closing waits for what is under way and lets nothing new in', async () => {
  const inFlight = new InFlight()
  let finish = () => {}
  const work = inFlight.run(() => new Promise<void>((resolve) => (finish = resolve)))
  let isClosed = false
  const closing = inFlight.close().then(() => (isClosed = true))
  await expect(inFlight.run(() => Promise.resolve())).rejects.toMatchObject({ code: 'store.closed' })
  expect(isClosed).toBe(false)
  finish()
  await Promise.all([work, closing])
  expect(isClosed).toBe(true)
})

it('the second to close is told so', async () => {
  const inFlight = new InFlight()
  expect([await inFlight.close(), await inFlight.close()]).toEqual([true, false])
})

it('what fails is under way no longer', async () => {
  const inFlight = new InFlight()
  await expect(inFlight.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await inFlight.close()).toBe(true)
})
