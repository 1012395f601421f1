import { runSource } from './run-source.mjs'

// Inputs that nobody thought of: see test/fuzz/main.ts for its options.
await runSource('test/fuzz/main.ts')
