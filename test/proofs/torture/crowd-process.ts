import { type CrowdOptions, crowd } from './crowd.ts'

/** The crowd in a process of its own, so that it does not take the service's time; it prints what it was answered. */
const report = await crowd(JSON.parse(process.argv[2] ?? '{}') as CrowdOptions)
process.stdout.write(JSON.stringify(report))
