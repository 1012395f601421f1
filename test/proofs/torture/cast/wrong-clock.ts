import { optionsOf } from './told-options.ts'

/**
 * Sets this process's clock wrong, for whatever is loaded after this file: half of the nodes go by one that is off by up to an hour. Timers and what the history
 * is written with are not touched.
 */
const { skewMs = 0 } = optionsOf<{ readonly skewMs?: number }>()

if (skewMs !== 0) {
  const TrueDate = Date
  const now = (): number => TrueDate.now() + skewMs
  globalThis.Date = new Proxy(TrueDate, {
    construct: (target, given: unknown[], self) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, self) as Date,
    apply: () => new TrueDate(now()).toString(),
    get: (target, name, self): unknown => (name === 'now' ? now : Reflect.get(target, name, self)),
  })
}
