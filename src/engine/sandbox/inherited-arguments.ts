/** Flags that are about the process that has them: a port of its own, a text to run, a watcher. */
const OWN = /^--?(inspect|debug|watch|test|eval|e$|p$|pe$|print|check|c$|i$|interactive|input-type)/
/** Of these, those whose value may be the next argument. */
const WITH_VALUE = /^(-e|-p|-pe|--eval|--print|--watch-path|--input-type|--inspect-port|--debug-port)$/

/** What of the node's own arguments its isolates get too: loaders, conditions, flags of V8. */
export function inherited(argv: readonly string[]): string[] {
  return argv.filter((each, index) => !OWN.test(each) && !WITH_VALUE.test(argv[index - 1] ?? ''))
}

/** Modules that are loaded before all others, of those that are named by their address. A thread does not learn of what was added after the start of its node. */
export function preloaded(argv: readonly string[]): string[] {
  return argv.filter((each, index) => argv[index - 1] === '--import' && each.startsWith('file:'))
}
