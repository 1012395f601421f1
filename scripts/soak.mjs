import { runSource } from './run-source.mjs'

// Load that goes on, and what grows meanwhile: see test/soak/main.ts for its options.
await runSource('test/soak/main.ts')
