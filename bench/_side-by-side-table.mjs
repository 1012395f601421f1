import { COSTS, MEASURES, rangeOf, short, shown, whole } from './_figures.mjs'
import { AGAINST_OTHERS } from './_targets.mjs'

const OURS = 'pontual'

/** One row for each contestant of a workload, and how many times as good Pontual is. */
export function sideBySideTable({ id, title, measures = ['rate'], more = [] }, results) {
  const [first] = measures
  const ours = results.find(({ name }) => name === OURS)?.median
  const titleOf = (key) => (measures.length === 1 ? 'Pontual against it' : `Pontual against it, ${key}`)
  return {
    title: `${title}, medians`,
    columns: [
      { key: 'name', title: 'contestant' },
      { key: 'jobs', title: 'jobs' },
      ...measures.map((key) => ({ key, title: MEASURES[key].title })),
      { key: 'range', title: measures.length === 1 ? 'rounds' : `rounds, ${first}` },
      ...measures.map((key) => ({ key: `ratio-${key}`, title: titleOf(key) })),
      { key: 'target', title: 'target' },
      { key: 'met', title: 'met' },
      ...more.map((key) => ({ key, title: MEASURES[key].title })),
      ...Object.entries(COSTS).map(([key, cost]) => ({ key, title: cost.title })),
    ],
    rows: results.map((result) => rowOf(result, { ours, measures, more, targets: AGAINST_OTHERS[id]?.[result.name] })),
  }
}

function rowOf({ name, task, runs, median, failure }, { ours, measures, more, targets = {} }) {
  const [first] = measures
  if (!median) return { name, jobs: whole(task.count ?? 0), [first]: failure }
  const compared = ours && name !== OURS ? measures : []
  const ratios = Object.fromEntries(compared.map((key) => [key, ratioOf(key, ours, median)]))
  return {
    name,
    jobs: whole(median.jobs),
    ...shown([...measures, ...more], MEASURES, median),
    range: rangeOf(MEASURES[first], runs),
    ...Object.fromEntries(compared.map((key) => [`ratio-${key}`, `${short(ratios[key])}x`])),
    ...verdictOn(ratios, targets, measures.length > 1),
    ...shown(Object.keys(COSTS), COSTS, median),
  }
}

/** Always so that more than one is in favour of Pontual. */
function ratioOf(key, ours, theirs) {
  const { of, isLessBetter } = MEASURES[key]
  return isLessBetter ? of(theirs) / of(ours) : of(ours) / of(theirs)
}

function verdictOn(ratios, targets, isNamed) {
  const keys = Object.keys(targets)
  if (keys.length === 0) return {}
  const target = keys.map((key) => `${isNamed ? `${key} ` : ''}>= ${targets[key]}x`).join(', ')
  if (keys.some((key) => ratios[key] === undefined)) return { target }
  return { target, met: keys.every((key) => ratios[key] >= targets[key]) ? 'yes' : 'MISSED' }
}
