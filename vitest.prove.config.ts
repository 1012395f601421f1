import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/proofs/prove/**/*.prove.ts'],
    environment: 'node',
    globalSetup: ['test/harness/global-setup.ts'],
    execArgv: ['--import', new URL('test/harness/typescript-loader.mjs', import.meta.url).href],
    testTimeout: 60 * 60_000,
    hookTimeout: 10 * 60_000,
    disableConsoleIntercept: true,
  },
})
