import { useRef, useState } from 'preact/hooks'
import { useParams } from 'wouter-preact'
import { ask } from '../../api/ask.ts'
import { Problem } from '../../api/problem.ts'
import { useAnswer } from '../../api/questions.ts'
import type { JobTypeView, JobView } from '../../api/wire.ts'
import { jobTexts } from '../../language/job-texts.ts'
import { Answer, Empty } from '../../parts/answer.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { JobBadge } from '../../parts/status.tsx'
import { changesOf, type FormValues, type JobBody, valuesOf } from './form-values.ts'
import { JobForm } from './job-form.tsx'
import { StaleDialog } from './stale-dialog.tsx'
import { formTexts } from './texts.ts'

/** Changes a job. */
export function EditJob() {
  const { id } = useParams<{ id: string }>()
  const job = useAnswer<JobView>(`jobs/${id}`, { isLive: false })
  const types = useAnswer<{ readonly items: readonly JobTypeView[] }>('jobs/types', { isLive: false })
  // Nobody begins with what was read long ago; once he has begun, nothing is taken from under his hands.
  const hasBegun = useRef(false)
  if (job.data && !job.isFetching) hasBegun.current = true
  const name = job.data?.name
  return (
    <Page
      title={name === undefined ? jobTexts.value.actions.edit : formTexts.value.editTitle(name)}
      aside={job.data && <JobBadge status={job.data.status} />}
    >
      <Answer query={job} lines={12}>
        {(read) => (
          <Answer query={types} lines={12}>
            {({ items }) =>
              read.status === 'DELETED' ? (
                <Empty icon="trash" title={formTexts.value.deleted}>
                  <ButtonLink href={`/${id}`}>{formTexts.value.backToJob}</ButtonLink>
                </Empty>
              ) : (
                hasBegun.current && <Editor key={id} read={read} types={items} />
              )
            }
          </Answer>
        )}
      </Answer>
    </Page>
  )
}

interface Stale {
  readonly now: JobView
  readonly changes: JobBody
  readonly decide: (choice: 'reload' | 'overwrite' | 'stay') => void
}

function Editor({ read, types }: { readonly read: JobView; readonly types: readonly JobTypeView[] }) {
  const [opened, setOpened] = useState(read)
  const [stale, setStale] = useState<Stale | null>(null)
  const before = valuesOf(opened)

  const put = (body: JobBody, version: number) => ask<JobView>(`jobs/${opened.id}`, { method: 'PUT', body, version })

  /** Where another version is there by now, whoever saves decides what becomes of his. */
  const save = async (values: FormValues, type: JobTypeView | undefined): Promise<JobView> => {
    const changes = changesOf(before, values, type)
    let { version } = opened
    for (;;) {
      try {
        return await put(changes, version)
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 412) throw error
        const now = await ask<JobView>(`jobs/${opened.id}`)
        const choice = await new Promise<'reload' | 'overwrite' | 'stay'>((decide) =>
          setStale({ now, changes, decide }),
        )
        setStale(null)
        if (choice === 'overwrite') version = now.version
        else {
          if (choice === 'reload') setOpened(now)
          throw error
        }
      }
    }
  }
  return (
    <>
      <JobForm
        key={opened.version}
        initial={before}
        job={opened}
        types={types}
        save={save}
        done={jobTexts.value.messages.success.updated}
        needs="jobs:update"
        back={`/${opened.id}`}
      />
      {stale && <StaleDialog before={opened} now={stale.now} mine={stale.changes} onDecide={stale.decide} />}
    </>
  )
}
