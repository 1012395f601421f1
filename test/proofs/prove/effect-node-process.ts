import process from 'node:process'
import type { EffectNodeOptions } from './effect-node.ts'

/** A node in a process of its own, which may have a clock that is wrong: it is so before anything else is loaded. */
const options = JSON.parse(process.argv[2] ?? '{}') as EffectNodeOptions
const trueNow = Date.now.bind(Date)
if (options.skewMs) globalThis.Date = wrongDate(options.skewMs)

const { startEffectNode } = await import('./effect-node.ts')
await startEffectNode(options, trueNow)

function wrongDate(skewMs: number): DateConstructor {
  const wrongNow = () => trueNow() + skewMs
  return new Proxy(Date, {
    construct: (target, args: unknown[]): object =>
      args.length === 0 ? new target(wrongNow()) : (Reflect.construct(target, args) as object),
    get: (target, name): unknown => (name === 'now' ? wrongNow : Reflect.get(target, name)),
  })
}
