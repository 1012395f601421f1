import { withParameters } from '../../api/ask.ts'
import type { JobView } from '../../api/wire.ts'
import { choose, LANGUAGES, language } from '../../language/language.ts'
import { jobStatusName } from '../../language/names.ts'
import type { IconName } from '../../parts/icon.tsx'
import { canSignOut, may } from '../../session/session.ts'
import { signOut } from '../../session/sign.ts'
import { chooseTheme, THEMES, theme } from '../../theme/theme.ts'
import { tell } from '../notices.ts'
import { isVisible, MENU } from '../pages.ts'
import { frameTexts } from '../texts.ts'
import { idIn, isNamed, searchOf } from './search-text.ts'
import { paletteTexts } from './texts.ts'

/** Something that can be chosen: a page to go to, or something to do. */
export interface Entry {
  readonly key: string
  readonly group: 'go' | 'jobs' | 'do' | 'search'
  readonly name: string
  readonly note?: string
  readonly icon: IconName
  readonly to: string | (() => void)
}

/** What fits what was typed, in the order in which it is shown. */
export function entriesFor(typed: string, jobs: readonly JobView[]): readonly Entry[] {
  const named = [...pages(), ...actions()].filter(({ name }) => isNamed(name, typed))
  const go = named.filter(({ group }) => group === 'go')
  const actionsNamed = named.filter(({ group }) => group === 'do')
  return [...ids(typed), ...go, ...jobs.map(jobEntry), ...actionsNamed, ...searches(typed)]
}

function pages(): readonly Entry[] {
  return MENU.filter(isVisible).map(({ name, path, icon }) => ({
    key: path,
    group: 'go',
    name: frameTexts.value.pages[name],
    icon,
    to: path,
  }))
}

function jobEntry({ id, name, status }: JobView): Entry {
  return { key: id, group: 'jobs', name, note: jobStatusName(status), icon: 'jobs', to: `/${id}` }
}

/** What has this id is known to the page that it leads to. */
function ids(typed: string): readonly Entry[] {
  const id = idIn(typed)
  if (id === null) return []
  const texts = paletteTexts.value
  const execution = { name: texts.execution(id), icon: 'executions', to: `/executions/${id}` } as const
  const job = { name: texts.job(id), icon: 'jobs', to: `/${id}` } as const
  return [...(may('jobs:viewHistory') ? [execution] : []), job].map((each) => ({ ...each, key: each.to, group: 'go' }))
}

function searches(typed: string): readonly Entry[] {
  const text = typed.trim()
  if (text === '' || idIn(text) !== null) return []
  const texts = paletteTexts.value
  const q = searchOf(text)
  const inJobs = { name: texts.searchJobs(text), to: withParameters('/list', { q }) }
  const inExecutions = { name: texts.searchExecutions(text), to: withParameters('/executions', { q }) }
  return [inJobs, ...(may('jobs:viewHistory') ? [inExecutions] : [])].map((each) => ({
    ...each,
    key: each.to,
    group: 'search',
    icon: 'search',
  }))
}

function actions(): readonly Entry[] {
  const texts = paletteTexts.value
  const create: Entry = { key: 'create', group: 'do', name: texts.createJob, icon: 'plus', to: '/new' }
  const leave: Entry = { key: 'sign-out', group: 'do', name: texts.signOut, icon: 'external', to: leaveNow }
  return [
    ...(may('jobs:create') ? [create] : []),
    ...THEMES.filter((each) => each !== theme.value).map(
      (each): Entry => ({
        key: each,
        group: 'do',
        name: texts.theme(frameTexts.value.themes[each]),
        icon: each === 'dark' ? 'moon' : 'sun',
        to: () => chooseTheme(each),
      }),
    ),
    ...LANGUAGES.filter((each) => each.language !== language.value).map(
      (each): Entry => ({
        key: each.language,
        group: 'do',
        name: texts.language(each.name),
        icon: 'settings',
        to: () => choose(each.language),
      }),
    ),
    ...(canSignOut() ? [leave] : []),
  ]
}

function leaveNow(): void {
  signOut().catch((problem: Error) => tell('bad', problem.message))
}
