import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/prove/**/*.prove.ts'],
    environment: 'node',
    testTimeout: 60 * 60_000,
    hookTimeout: 10 * 60_000,
    disableConsoleIntercept: true,
  },
})
