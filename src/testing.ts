/** `pontual/testing`: the engine of production under a clock that you move. */

export type { SignalSchemas } from './job/activity/signals.ts'
export {
  type CrashEverywhereOptions,
  type CrashReport,
  CrashTestError,
  crashEverywhere,
} from './testing/crash-everywhere.ts'
export { type DurableResult, DurableTest, type DurableTestOptions, runDurable } from './testing/run-durable.ts'
export { type TestOptions, TestPontual, testPontual } from './testing/test-pontual.ts'
