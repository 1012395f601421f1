import { useAnswer } from '../api/questions.ts'
import type { JobView, Page } from '../api/wire.ts'
import { inBoth } from '../language/language.ts'
import { may } from '../session/session.ts'

const waitingTexts = inBoth({
  'pt-BR': { waiting: (count: string) => `${count} aguardando` },
  en: { waiting: (count: string) => `${count} waiting` },
})

/** Counted so far, and no further. */
const MOST = 9

/** How many jobs wait for a yes, to those who may give it. */
export function WaitingApprovals() {
  const { data } = useAnswer<Page<JobView>>(`jobs?status=PENDING_APPROVAL&limit=${MOST}`, {
    isAsked: may('jobs:approve'),
  })
  if (!data || data.items.length === 0) return null
  const count = `${data.items.length}${data.nextCursor === null ? '' : '+'}`
  return (
    <>
      <span class="menu-count" aria-hidden="true">
        {count}
      </span>
      <span class="visually-hidden">{waitingTexts.value.waiting(count)}</span>
    </>
  )
}
