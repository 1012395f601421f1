import process from 'node:process'

/** What a process is told by whoever starts it. */
export function optionsOf<Options>(): Options {
  return JSON.parse(process.argv[2] ?? '{}') as Options
}
