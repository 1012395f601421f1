import { systemEnv } from '../../src/clock.ts'
import type { JobView } from '../../src/service/job-view.ts'
import { demoPast } from './demo-past.ts'
import type { Things } from './every-page.ts'
import { openStage, type Stage } from './stage.ts'

export interface DemoStage extends AsyncDisposable {
  readonly stage: Stage
  readonly things: Things
}

const HOURS = 6

/** The demo in a browser, with a past of some hours. */
export async function openDemoStage(chromium: string | null): Promise<DemoStage> {
  const past = await demoPast({ endAt: systemEnv.now(), hours: HOURS })
  await past.stop()
  const stage = await openStage({ chromium, store: past.store, tenant: 'default' })
  return { stage, things: await thingsOf(stage), [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() }
}

async function thingsOf(stage: Stage): Promise<Things> {
  const first = async <Item>(path: string): Promise<Item> => {
    const [item] = (await stage.ask<{ items: Item[] }>('GET', path)).items
    if (!item) throw new Error(`${path} has nothing.`)
    return item
  }
  const { id: jobId } = await first<JobView>('/api/jobs?q=ProcessOrder')
  const { id: executionId } = await first<{ id: string }>(`/api/jobs/${jobId}/history?status=SUCCESS`)
  const { id: failedExecutionId } = await first<{ id: string }>('/api/jobs/executions?status=FAILED')
  return { jobId, executionId, failedExecutionId }
}
