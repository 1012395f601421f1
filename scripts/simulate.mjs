import { runSource } from './run-source.mjs'

// Seeds of the simulation: see test/proofs/simulation/main.ts for its options.
await runSource('test/proofs/simulation/main.ts')
