import { CONTESTANTS, contestant } from './_contestants.mjs'
import { describeEnvironment } from './_environment.mjs'
import { publish, toText } from './_report.mjs'

const OURS = 'pontual'
const COLUMNS = {
  name: 'contestant',
  jobs: 'jobs',
  rate: 'jobs/s',
  range: 'rounds',
  ratio: 'Pontual against it',
  target: 'target',
  met: 'met',
  nodeCpu: 'Node CPU, µs/job',
  postgresCpu: 'PostgreSQL CPU, µs/job',
  wal: 'WAL, bytes/job',
}

/**
 * Shows what a contest gave and publishes it where the contest was whole. `targets` has, by the title of a workload and by contestant, how
 * many times as fast Pontual has to be.
 */
export function reportContest({ name, title, targets, notes }, { node, database, isWhole, absent, results }) {
  const titles = [...new Set(results.map(({ workload }) => workload))]
  const taking = [...new Set(results.map((result) => result.name))]
  const packages = [...new Set(taking.flatMap((each) => contestant(each).packages))]
  const tables = titles.map((workload) => ({
    title: `${workload}, medians`,
    columns: Object.entries(COLUMNS).map(([key, columnTitle]) => ({ key, title: columnTitle })),
    rows: rowsOf(
      results.filter((result) => result.workload === workload),
      targets[workload] ?? {},
    ),
  }))
  const report = {
    name,
    title,
    environment: { ...describeEnvironment(packages, node.versions), database },
    tables,
    notes: [
      ...notes,
      ...CONTESTANTS.filter((each) => taking.includes(each.name)).map((each) => `${each.name}: ${each.settings}.`),
      ...(absent.includes(OURS) ? ['Pontual did not take part: dist/postgres.js is absent.'] : []),
    ].map((text) => ({ text })),
    results,
  }
  if (isWhole) publish(report)
  console.log(toText(report))
  const missed = tables.flatMap(({ rows }) => rows).filter(({ met }) => met === 'MISSED').length
  const verdict = missed === 0 ? 'No target missed' : `Targets MISSED: ${missed}`
  console.log(`\n${verdict}.${isWhole ? '' : ' Not the whole benchmark: nothing is published.'}`)
  if (results.some(({ isBroken }) => isBroken)) process.exitCode = 1
}

function rowsOf(results, targets) {
  const ours = results.find(({ name }) => name === OURS)
  return results.map((result) => {
    const { name, median, failure } = result
    const jobs = whole(result.count)
    if (!median) return { name, jobs, rate: failure }
    const ratio = ours?.median && name !== OURS ? rateOf(ours, ours.median) / rateOf(result, median) : undefined
    const target = targets[name]
    const rates = result.runs.map((run) => rateOf(result, run))
    return {
      name,
      jobs,
      rate: whole(rateOf(result, median)),
      range: `${whole(Math.min(...rates))} to ${whole(Math.max(...rates))}`,
      ratio: ratio === undefined ? '' : `${Number(ratio.toPrecision(3))}x`,
      target: target === undefined ? '' : `>= ${target}x`,
      met: target === undefined || ratio === undefined ? '' : ratio >= target ? 'yes' : 'MISSED',
      nodeCpu: perJob(result, median.nodeCpuMs, 1000),
      postgresCpu: perJob(result, median.postgresCpuMs, 1000),
      wal: perJob(result, median.walBytes, 1),
    }
  })
}

function rateOf({ count }, { ms }) {
  return (count / ms) * 1000
}

function perJob({ count }, value, factor) {
  return value === null ? '' : whole((value * factor) / count)
}

function whole(value) {
  return Math.round(value).toLocaleString('en-US')
}
