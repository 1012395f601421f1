import { revalidatePath } from 'next/cache'
import { closeDay, jobs } from '../lib/jobs.js'

export const dynamic = 'force-dynamic'

async function close() {
  'use server'
  const { app } = jobs()
  const { id } = await app.enqueue(closeDay)
  await app.waitFor(id)
  revalidatePath('/')
}

export default async function Page() {
  const executions = await jobs().app.executions({ jobType: closeDay.id })
  return (
    <form action={close}>
      <p>The day was closed {executions.length} times.</p>
      <button type="submit">Close the day</button> <a href="/jobs/">Jobs</a>
    </form>
  )
}
