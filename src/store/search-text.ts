import type { Job } from '../job/job.ts'

type Searched = Pick<Job, 'name' | 'details'>

/** Between two texts that are searched together: nobody types it, and no text holds it once it is folded. */
const BETWEEN = '\u001f'

/** Text of which the case of letters does not matter. Upper case, because it does not depend on where in a word a letter stands. */
function folded(text: string): string {
  return text.normalize('NFC').toUpperCase().replaceAll(BETWEEN, ' ')
}

/** What part of is looked for where only names matter: the first part of {@link searchText}. */
export function searchName(name: string): string {
  return folded(name)
}

/**
 * The message of an error as it is searched: no letters but those of ASCII are folded, since it is done by whoever keeps it, and all stores have to agree.
 */
export function searchError(message: string): string {
  return message.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())
}

/** What part of is looked for: a job's name and description. Stored beside the job, so that all stores agree about letters. */
export function searchText({ name, details }: Searched): string {
  return [name, details.description ?? ''].map(folded).join(BETWEEN)
}

/** What the whole of is looked for: each tag between two marks. */
export function searchTags({ details }: Searched): string {
  return details.tags.map(soughtTag).join('')
}

/** What {@link searchText} has to hold for a job to be found. */
export function soughtText(text: string): string {
  return folded(text)
}

/** What {@link searchTags} has to hold. */
export function soughtTag(text: string): string {
  return `${BETWEEN}${folded(text)}${BETWEEN}`
}
