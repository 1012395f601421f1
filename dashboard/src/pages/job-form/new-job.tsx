import { useSearchParams } from 'wouter-preact'
import { ask } from '../../api/ask.ts'
import { useAnswer } from '../../api/questions.ts'
import type { JobTypeView, JobView } from '../../api/wire.ts'
import { jobTexts } from '../../language/job-texts.ts'
import { viewerZone } from '../../language/zone.ts'
import { Answer } from '../../parts/answer.tsx'
import { Page } from '../../parts/page.tsx'
import { blankValues, bodyOf, type FormValues, valuesOf } from './form-values.ts'
import { JobForm } from './job-form.tsx'
import { formTexts } from './texts.ts'

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i

/** Makes a job; `?from=<id>` begins with a copy of another. */
export function NewJob() {
  const [parameters] = useSearchParams()
  const from = parameters.get('from')
  return from !== null && ID.test(from) ? <CopiedJob id={from} /> : <BlankJob />
}

function BlankJob() {
  return (
    <Page title={jobTexts.value.actions.create}>
      <WithTypes initial={blankValues(viewerZone.value)} back="/list" />
    </Page>
  )
}

function CopiedJob({ id }: { readonly id: string }) {
  const texts = formTexts.value
  const job = useAnswer<JobView>(`jobs/${id}`, { isLive: false })
  const name = job.data?.name
  return (
    <Page title={name === undefined ? jobTexts.value.actions.create : texts.copyTitle(name)}>
      <Answer query={job} lines={12}>
        {(copied) => <WithTypes initial={{ ...valuesOf(copied), name: texts.copyName(copied.name) }} back={`/${id}`} />}
      </Answer>
    </Page>
  )
}

function WithTypes({ initial, back }: { readonly initial: FormValues; readonly back: string }) {
  const types = useAnswer<{ readonly items: readonly JobTypeView[] }>('jobs/types', { isLive: false })
  const create = (values: FormValues, type: JobTypeView | undefined) => {
    const { payload, ...body } = bodyOf(values, type)
    const given = payload === null ? {} : { payload }
    return ask<JobView>('jobs', { method: 'POST', body: { ...body, ...given, jobType: values.jobType } })
  }
  return (
    <Answer query={types} lines={12}>
      {({ items }) => (
        <JobForm
          initial={initial}
          job={null}
          types={items}
          save={create}
          done={jobTexts.value.messages.success.created}
          needs="jobs:create"
          back={back}
        />
      )}
    </Answer>
  )
}
