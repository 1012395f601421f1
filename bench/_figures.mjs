/** What may be compared of a run, and how it is shown. Where less is better, `isLessBetter`. */
export const MEASURES = {
  rate: { title: 'jobs/s', of: ({ jobs, ms }) => (jobs / ms) * 1000, show: whole },
  seconds: { title: 's', of: ({ ms }) => ms / 1000, show: short, isLessBetter: true },
  p50: { title: 'p50, ms', of: ({ p50 }) => p50, show: short, isLessBetter: true },
  p99: { title: 'p99, ms', of: ({ p99 }) => p99, show: short, isLessBetter: true },
  claimUs: { title: 'claim, µs/job', of: ({ claimUs }) => claimUs, show: short, isLessBetter: true },
  statements: { title: 'statements/s', of: ({ statements }) => statements, show: short, isLessBetter: true },
  lateMs: { title: 'a late tenant waits, ms', of: ({ lateMs }) => lateMs, show: short, isLessBetter: true },
  most: { title: 'most at once of a tenant', of: ({ most }) => most, show: whole, isLessBetter: true },
  othersLeft: { title: 'jobs of the others left', of: ({ othersLeft }) => othersLeft, show: whole, isLessBetter: true },
  backlog: { title: 'backlog at the end', of: ({ backlog }) => backlog, show: whole, isLessBetter: true },
  activityRate: { title: 'activities/s', of: ({ activities, ms }) => (activities / ms) * 1000, show: whole },
  activityStatements: {
    title: 'statements/activity',
    of: ({ calls, activities }) => calls / activities,
    show: short,
    isLessBetter: true,
  },
  activityCommits: {
    title: 'commits/activity',
    of: ({ transactions, activities }) => transactions / activities,
    show: short,
    isLessBetter: true,
  },
  runStatements: { title: 'statements/run', of: ({ calls, jobs }) => calls / jobs, show: short, isLessBetter: true },
  requestRate: { title: 'requests/s', of: ({ jobs, ms }) => (jobs / ms) * 1000, show: whole },
  requestStatements: {
    title: 'statements/request',
    of: ({ calls, jobs }) => calls / jobs,
    show: short,
    isLessBetter: true,
  },
  background: { title: 'background, jobs/s', of: ({ background }) => background, show: whole },
}

/** What a run costs, by the key of its column. */
export const COSTS = {
  nodeCpu: { title: 'Node CPU, µs/job', of: perJob('nodeCpuMs', 1000), show: whole },
  serverCpu: { title: 'server CPU, µs/job', of: perJob('serverCpuMs', 1000), show: whole },
  wal: { title: 'WAL, bytes/job', of: perJob('walBytes', 1), show: whole },
  transactions: { title: 'commits/job', of: perJob('transactions', 1), show: short },
  peak: { title: 'peak memory, MB', of: ({ peakMb }) => peakMb, show: whole },
}

/** The texts of some measures or costs, by their keys. */
export function shown(keys, kinds, figures) {
  const textOf = ({ of, show }) => {
    const value = of(figures)
    return value == null ? '' : show(value)
  }
  return Object.fromEntries(keys.map((key) => [key, textOf(kinds[key])]))
}

/** From the least to the most of a measure in all rounds. */
export function rangeOf({ of, show }, runs) {
  const values = runs.map(of)
  return `${show(Math.min(...values))} to ${show(Math.max(...values))}`
}

export function whole(value) {
  return Math.round(value).toLocaleString('en-US')
}

/** Three digits that tell something. */
export function short(value) {
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 6 })
}

function perJob(key, factor) {
  return (figures) => (figures[key] == null || figures.jobs === 0 ? undefined : (figures[key] * factor) / figures.jobs)
}
