import { useSignal } from '@preact/signals'
import { useCommand } from '../../api/commands.ts'
import type { JobListItem } from '../../api/wire.ts'
import { jobTexts } from '../../language/job-texts.ts'
import { JobVerbDialog } from '../../parts/job-verb-dialog.tsx'
import { doVerb, type JobVerb, VERB_ICONS, VERB_PERMISSIONS, verbName, verbsFor } from '../../parts/job-verbs.ts'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { listTexts } from './texts.ts'

/** What can be done with a job as it stands; what would be a conflict is not offered. */
export function JobMenu({ job }: { readonly job: JobListItem }) {
  const asked = useSignal<'pause' | 'delete' | null>(null)
  const command = useCommand<JobVerb, string>({ run: (verb) => doVerb(job, verb), done: (text) => text })
  const choose = (verb: JobVerb) => {
    if (verb === 'pause' || verb === 'delete') asked.value = verb
    else command.mutate(verb)
  }
  const { actions } = jobTexts.value
  const verbs = verbsFor(job).map(
    (verb): MenuItem => ({
      key: verb,
      name: verbName(verb),
      icon: VERB_ICONS[verb],
      needs: VERB_PERMISSIONS[verb],
      isDanger: verb === 'delete',
      onChoose: () => choose(verb),
    }),
  )
  const [last] = job.recentExecutions ?? []
  const logs: readonly MenuItem[] = last
    ? [{ key: 'logs', name: actions.viewLogs, icon: 'audit', needs: 'jobs:viewLogs', href: `/executions/${last.id}` }]
    : []
  const pages: readonly MenuItem[] = [
    { key: 'edit', name: actions.edit, icon: 'edit', needs: 'jobs:update', href: `/${job.id}/edit` },
    {
      key: 'history',
      name: actions.viewHistory,
      icon: 'executions',
      needs: 'jobs:viewHistory',
      href: `/executions?q=${encodeURIComponent(`job:${job.id}`)}`,
    },
    ...logs,
  ]
  const isDanger = ({ isDanger: is = false }: MenuItem) => is
  return (
    <>
      <Menu
        label={listTexts.value.actionsOf(job.name)}
        items={[...verbs.filter((item) => !isDanger(item)), ...pages, ...verbs.filter(isDanger)]}
      />
      {asked.value !== null && <JobVerbDialog job={job} verb={asked.value} onClose={() => (asked.value = null)} />}
    </>
  )
}
