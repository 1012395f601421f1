import { runSource } from './run-source.mjs'

// Real processes and a real server that are tortured: see test/torture/main.ts for its options.
await runSource('test/torture/main.ts')
