/** What has to happen in any ten thousand seeds, or the simulation shows less than it seems to. */
const SOMETIMES: readonly RegExp[] = [
  /^a fenced write was attempted$/,
  /^unknown leases\.claim$/,
  /^unknown leases\.finish$/,
  /^unknown histories\.record$/,
  /^unknown executions\.enqueue$/,
  /^the limit of a tenant is reached$/,
  /^a job that does not overlap runs$/,
  /^an occurrence is fired$/,
  /^an occurrence is firedLate$/,
  /^an occurrence is consolidated$/,
  /^an occurrence is not fired, and a row says why$/,
  /^an execution ends as SUCCESS$/,
  /^an execution ends as FAILED$/,
  /^an execution ends as CANCELLED$/,
  /^an execution is tried again$/,
  /^a step is recorded$/,
  /^a signal is heard$/,
  /^something sensitive runs$/,
  /^an end is in the audit log$/,
  /^kill$/,
  /^stop$/,
  /^block$/,
  /^restartDatabase$/,
  /^deafen$/,
  /^rollingRestart$/,
]

/** What should have happened, and has not. */
export function missingIn(seen: ReadonlyMap<string, number>): string[] {
  return SOMETIMES.filter((pattern) => ![...seen.keys()].some((what) => pattern.test(what))).map(({ source }) => source)
}
