import { runSource } from './run-source.mjs'

// Inputs that nobody thought of: see test/proofs/fuzz/main.ts for its options.
await runSource('test/proofs/fuzz/main.ts')
