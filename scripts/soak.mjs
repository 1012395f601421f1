import { runSource } from './run-source.mjs'

// Load that goes on, and what grows meanwhile: see test/proofs/soak/main.ts for its options.
await runSource('test/proofs/soak/main.ts')
