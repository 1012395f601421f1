/** `pontual`: jobs, triggers and what becomes of those that were missed. */
export * from './time.ts'
