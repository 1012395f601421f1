import { pontual, job } from '/work/main/src/index.ts'
import { postgres } from '/work/main/src/postgres.ts'
import { startServer } from '/work/main/test/postgres/server.ts'
import { plain, failing, talking, order, cached, limited } from '/work/main/test/soak/job-types.ts'
import v8 from 'node:v8'
const kind = process.argv[2]
const types: any = { plain, failing, talking, order, cached, limited }
const server = await startServer({ version: '18' })
const app = pontual({ store: postgres(server.url), jobs: Object.values(types) as any, logger: 'silent', node: { slots: 50 } })
await app.start()
let done = 0
app.on('execution.succeeded', () => done++); app.on('execution.failed', () => done++)
const held = async () => { for (let i=0;i<3;i++){ (globalThis as any).gc(); await new Promise(r=>setTimeout(r,50)) } const m = process.memoryUsage(); return (m.heapUsed+m.external)/1024 }
const N = Number(process.argv[3] ?? 4000)
for (let round = 0; round < 6; round++) {
  const goal = done + N
  await app.enqueueMany(types[kind!], Array.from({length:N},(_, n)=>({n: round*N+n})))
  while (done < goal) await new Promise(r=>setTimeout(r,20))
  await new Promise(r=>setTimeout(r,300))
  console.log(kind, done, (await held()).toFixed(0), 'KiB')
  if (process.argv[4] && (round === 2 || round === 5)) v8.writeHeapSnapshot(`/tmp/heap-${kind}-${round}.heapsnapshot`)
}
await app.stop(); await server.stop()
