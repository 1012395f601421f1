import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ask } from '../../api/ask.ts'
import { refreshAnswers } from '../../api/questions.ts'
import { frameTexts } from '../../frame/texts.ts'
import { ProblemBox, Skeleton } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { type JobVerb, verbName } from '../../parts/job-verbs.ts'
import { type BulkAnswer, type BulkForecast, type BulkProgress, type BulkRequest, carryOut, forecast } from './bulk.ts'
import { BulkOutcome } from './bulk-outcome.tsx'
import { BulkQuestion } from './bulk-question.tsx'
import { bulkTexts } from './bulk-texts.ts'

interface BulkDialogProps {
  readonly verb: JobVerb
  readonly parts: readonly Pick<BulkRequest, 'ids' | 'query'>[]
  readonly onDone: () => void
  readonly onClose: () => void
}

type State =
  | { readonly at: 'counting' }
  | { readonly at: 'asking'; readonly ahead: BulkForecast }
  | { readonly at: 'running' | 'ended'; readonly ahead: BulkForecast; readonly progress: BulkProgress }

const NONE_YET: BulkProgress = { seen: 0, done: 0, failed: [] }

const send = (body: BulkRequest) => ask<BulkAnswer>('jobs/bulk', { method: 'POST', body })

/** Counts first, asks, does it step by step, and tells what became of it. */
export function BulkDialog({ verb, parts, onDone, onClose }: BulkDialogProps) {
  const texts = bulkTexts.value
  const state = useSignal<State>({ at: 'counting' })
  const problem = useSignal<Error | null>(null)
  const isStopping = useSignal(false)
  const stop = useRef(new AbortController())
  const asked = useRef(parts)

  const count = () => {
    problem.value = null
    forecast(verb, asked.current, send).then(
      (ahead) => (state.value = { at: 'asking', ahead }),
      (error: Error) => (problem.value = error),
    )
  }
  useEffect(count, [])

  const run = async (ahead: BulkForecast, reason: string) => {
    let progress = NONE_YET
    state.value = { at: 'running', ahead, progress }
    try {
      await carryOut({ verb, ...(reason === '' ? {} : { reason }) }, asked.current, {
        send,
        signal: stop.current.signal,
        onProgress: (next) => {
          progress = next
          state.value = { at: 'running', ahead, progress }
        },
      })
    } catch (error) {
      problem.value = error instanceof Error ? error : new Error(String(error))
    }
    state.value = { at: 'ended', ahead, progress }
    await refreshAnswers()
  }
  const halt = () => {
    isStopping.value = true
    stop.current.abort()
  }
  const close = () => {
    // What runs is not left alone without anybody who sees how it ends.
    if (state.value.at === 'running') halt()
    else {
      if (state.value.at === 'ended') onDone()
      onClose()
    }
  }

  const shown = state.value
  if (shown.at === 'asking') {
    return (
      <BulkQuestion
        verb={verb}
        ahead={shown.ahead}
        onConfirm={(reason) => void run(shown.ahead, reason)}
        onClose={close}
      />
    )
  }
  return (
    <Dialog
      title={texts.titles[verb]}
      onClose={close}
      actions={
        shown.at === 'running' ? (
          <Button icon="stop" isBusy={isStopping.value} onClick={halt}>
            {isStopping.value ? texts.stopping : texts.stop}
          </Button>
        ) : (
          <Button onClick={close}>{frameTexts.value.close}</Button>
        )
      }
    >
      {shown.at === 'counting' && problem.value === null && <Skeleton lines={3} />}
      {shown.at !== 'counting' && (
        <BulkOutcome
          name={verbName(verb)}
          progress={shown.progress}
          total={shown.ahead.matched}
          isEnded={shown.at === 'ended'}
        />
      )}
      {problem.value !== null && (
        <ProblemBox error={problem.value} {...(shown.at === 'counting' ? { onRetry: count } : {})} />
      )}
    </Dialog>
  )
}
