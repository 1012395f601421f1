import { COSTS, MEASURES, rangeOf, short, shown, whole } from './_figures.mjs'
import { BY_ITSELF } from './_targets.mjs'

const OURS = 'pontual'

/** Workloads in which Pontual has no company: one row for each. */
export function aloneTable(workloads, results) {
  const measures = [...new Set(workloads.flatMap((workload) => workload.measures ?? ['rate']))]
  const rowOf = ({ id, title, measures: [first] = ['rate'] }) => {
    const { median, runs, failure } = results.find((result) => result.id === id) ?? {}
    if (!median) return { title, [first]: failure ?? 'did not take part' }
    const figures = { ...shown(measures, MEASURES, median), ...shown(Object.keys(COSTS), COSTS, median) }
    return { title, jobs: whole(median.jobs), ...figures, range: rangeOf(MEASURES[first], runs) }
  }
  return {
    title: 'Pontual, medians',
    columns: [
      { key: 'title', title: 'workload' },
      { key: 'jobs', title: 'jobs' },
      ...measures.map((key) => ({ key, title: MEASURES[key].title })),
      { key: 'range', title: 'rounds' },
      ...Object.entries(COSTS).map(([key, cost]) => ({ key, title: cost.title })),
    ],
    rows: workloads.map(rowOf),
  }
}

/** The targets that Pontual has by itself, of these workloads. */
export function ownTargetsTable(workloads, results) {
  const titleOf = (id) => workloads.find((workload) => workload.id === id)?.title
  const medianOf = (id) => results.find((result) => result.id === id && result.name === OURS)?.median
  const titles = {
    what: 'workload',
    measure: 'measure',
    value: 'Pontual',
    base: 'against',
    ratio: 'ratio',
    target: 'target',
    met: 'met',
  }
  const rowOf = ({ id, measure, against, atLeast, atMost }) => {
    const { title, of, show } = MEASURES[measure]
    const value = of(medianOf(id))
    const base = against ? of(medianOf(against)) : null
    const compared = against ? value / base : value
    const isMet = atLeast === undefined ? compared <= atMost : compared >= atLeast
    return {
      what: titleOf(id),
      measure: title,
      value: show(value),
      base: against ? `${show(base)}, ${titleOf(against)}` : '',
      ratio: against ? `${short(compared)}x` : '',
      target: `${atLeast === undefined ? `<= ${short(atMost)}` : `>= ${atLeast}`}${against ? 'x' : ''}`,
      met: isMet ? 'yes' : 'MISSED',
    }
  }
  return {
    title: 'Targets of Pontual by itself, medians',
    columns: Object.entries(titles).map(([key, title]) => ({ key, title })),
    rows: BY_ITSELF.filter(({ id, against }) => medianOf(id) && (!against || medianOf(against))).map(rowOf),
  }
}
