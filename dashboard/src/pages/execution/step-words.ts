import { dateTime, duration } from '../../language/format.ts'
import { plainLine } from '../../parts/plain-text.ts'
import { type ActivityView, isPlace, isWait, lengthMs } from './activity.ts'
import { stepTexts } from './step-texts.ts'

export function kindName({ kind }: Pick<ActivityView, 'kind'>): string {
  return stepTexts.value.waterfall.kinds[kind]
}

export function stepStatusName(entry: ActivityView): string {
  const { statuses } = stepTexts.value.waterfall
  return entry.status === 'RUNNING' && (isWait(entry) || entry.dueAt !== null)
    ? statuses.WAITING
    : statuses[entry.status]
}

/** Its number and its name. */
export function stepName(entry: ActivityView): string {
  const name = plainLine(entry.name)
  return isPlace(entry) ? `${entry.sequence} ${name}` : name
}

/** Whether it was performed by this run or taken over, and how often it was given to the code again. */
export function sourceWords({ replayed }: ActivityView, isTakenOver: boolean): string {
  const texts = stepTexts.value.waterfall
  const source = isTakenOver ? texts.takenOver : texts.executed
  return replayed > 0 ? `${source}, ${texts.replayed(replayed)}` : source
}

/** All that a bar shows, in words. */
export function stepWords(entry: ActivityView, now: number, isTakenOver: boolean): string {
  const texts = stepTexts.value.waterfall
  const words = [stepStatusName(entry), duration(lengthMs(entry, now)), kindName(entry)]
  if (entry.attempt > 1) words.push(texts.tries(entry.attempt))
  if (entry.status === 'RUNNING' && entry.dueAt !== null) {
    words.push(`${isWait(entry) ? texts.due : texts.nextAttempt} ${dateTime(entry.dueAt)}`)
  }
  words.push(sourceWords(entry, isTakenOver))
  return words.join(' · ')
}
