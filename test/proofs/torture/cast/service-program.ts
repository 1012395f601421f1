import process from 'node:process'
import { pontual } from '../../../../src/index.ts'
import { postgres } from '../../../../src/postgres.ts'
import { createApi, serve } from '../../../../src/server.ts'
import { HistoryWriter } from '../history/writer.ts'
import { torturedTypes } from './job-types.ts'
import { NOT_STARTED } from './program.ts'
import { optionsOf } from './told-options.ts'
import { DEADLINE_MS, DEFAULT_RETRY } from './workload.ts'

/** The API in a process of its own, which runs nothing itself. Whoever asks says which tenant he is of. */
const { url, name, folder, port } = optionsOf<{
  readonly url: string
  readonly name: string
  readonly folder: string
  readonly port: number
}>()

const app = pontual({
  store: postgres(url, { maxConnections: 4, deadline: DEADLINE_MS }),
  application: 'torture',
  jobs: torturedTypes(new HistoryWriter(folder, name), name),
  defaultRetry: DEFAULT_RETRY,
  logger: 'silent',
})
process.on('SIGTERM', () => process.exit(0))
process.stdin.on('end', () => process.exit(0)).resume()

try {
  const api = await createApi(app, {
    identity: {
      authenticate: (request) => ({
        tenant: request.headers.get('x-tenant') ?? '',
        userId: 'client',
        profile: 'Admin',
      }),
    },
    dashboard: false,
    limits: { perAddress: 1_000_000, perUser: 1_000_000, perTenant: 1_000_000 },
  })
  const { port: taken } = await serve(api, { port })
  process.stdout.write(`${JSON.stringify({ port: taken })}\n`)
} catch (error) {
  process.stderr.write(String(error))
  process.exit(NOT_STARTED)
}
