import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { DefaultReporter, type TestCase, type TestModuleState } from 'vitest/node'

/** Prints one line per file and the tests that fail. A single file in a terminal lists all of its tests. */
class BriefReporter extends DefaultReporter {
  protected override printTestCase(moduleState: TestModuleState, test: TestCase): void {
    if (this.renderSucceed || test.result().state === 'failed') super.printTestCase(moduleState, test)
  }
}

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'dashboard/src/**/*.test.{ts,tsx}'],
    environment: 'node',
    reporters: [new BriefReporter()],
    globalSetup: ['test/harness/global-setup.ts'],
    // Threads that the code under test starts run the sources too.
    execArgv: ['--import', new URL('test/harness/typescript-loader.mjs', import.meta.url).href],
    // Modules are loaded once for all files that a worker runs: no file may leave anything behind in them.
    isolate: false,
    // Workers wait for servers and processes a third of their time, so one more than there are cores.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
})
