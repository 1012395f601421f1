import { runSource } from './run-source.mjs'

// Real processes and a real server that are tortured: see test/proofs/torture/main.ts for its options.
await runSource('test/proofs/torture/main.ts')
