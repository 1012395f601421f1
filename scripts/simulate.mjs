import { runSource } from './run-source.mjs'

// Seeds of the simulation: see test/simulation/main.ts for its options.
await runSource('test/simulation/main.ts')
