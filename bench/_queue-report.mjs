import { CONTESTANTS, contestant } from './_contestants.mjs'
import { describeEnvironment } from './_environment.mjs'
import { aloneTable, ownTargetsTable } from './_own-tables.mjs'
import { publish, toText } from './_report.mjs'
import { sideBySideTable } from './_side-by-side-table.mjs'

/**
 * Shows what a contest gave and publishes it where the contest was whole. `workloads` are those of the contest; `measures` of one, `rate` where it
 * has none, are compared, `more` are only shown.
 */
export function reportContest({ title, workloads, notes }, { node, servers, isWhole, absent, results }) {
  const taking = [...new Set(results.map((result) => result.name))]
  const packages = [...new Set(taking.flatMap((each) => contestant(each).packages))]
  const report = {
    title,
    environment: { ...describeEnvironment(packages, node.versions), database: servers.join(' · ') },
    tables: tablesOf(workloads, results),
    notes: [
      ...notes,
      ...CONTESTANTS.filter((each) => taking.includes(each.name)).map((each) => `${each.name}: ${each.settings}.`),
      ...absent.map((each) => `${each}.`),
    ].map((text) => ({ text })),
  }
  if (isWhole) publish(report)
  console.log(toText(report))
  const missed = report.tables.flatMap(({ rows }) => rows).filter(({ met }) => met === 'MISSED').length
  const verdict = missed === 0 ? 'No target missed' : `Targets MISSED: ${missed}`
  console.log(`\n${verdict}.${isWhole ? '' : ' Not the whole benchmark: nothing is published.'}`)
  if (results.some(({ isBroken }) => isBroken)) process.exitCode = 1
}

function tablesOf(workloads, results) {
  const isContest = ({ contestants }) => contestants.length > 1
  const tables = [
    ...workloads.filter(isContest).map((workload) =>
      sideBySideTable(
        workload,
        results.filter(({ id }) => id === workload.id),
      ),
    ),
    aloneTable(
      workloads.filter((workload) => !isContest(workload)),
      results,
    ),
    ownTargetsTable(workloads, results),
  ]
  return tables.filter(({ rows }) => rows.length > 0)
}
