import type { TestProject } from 'vitest/node'
import { ServerBroker } from './postgres/broker.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where to ask for a PostgreSQL server. */
    readonly postgresBroker: string
  }
}

/** Makes servers available to all test files; none is started before one asks. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const broker = new ServerBroker()
  project.provide('postgresBroker', await broker.listen())
  return () => broker.close()
}
