import { type Signal, useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { JOB_VERBS, type JobVerb, VERB_ICONS, VERB_PERMISSIONS, verbName } from '../../parts/job-verbs.ts'
import { partsOf } from './bulk.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { bulkTexts } from './bulk-texts.ts'
import { isEmpty, NOTHING, type Selection, shownState } from './selection.ts'

interface BulkBarProps {
  readonly selection: Signal<Selection>
  readonly q: string
  /** Whether there are more that match than are shown. */
  readonly hasMore: boolean
  readonly shown: readonly string[]
}

/** What can be done to the jobs that are selected. */
export function BulkBar({ selection, q, hasMore, shown }: BulkBarProps) {
  const verb = useSignal<JobVerb | null>(null)
  const texts = bulkTexts.value
  const chosen = selection.value
  const clear = () => (selection.value = NOTHING)
  return (
    <>
      <section class="bulk-bar" aria-label={texts.bar} hidden={isEmpty(chosen)}>
        <p aria-live="polite">{chosen.isAll ? texts.allSelected : texts.selected(chosen.ids.size)}</p>
        {hasMore && !chosen.isAll && shownState(chosen, shown) === 'all' && (
          <Button isSmall onClick={() => (selection.value = { ids: new Set(), isAll: true })}>
            {texts.selectAll}
          </Button>
        )}
        <div class="row">
          {JOB_VERBS.map((each) => (
            <Button
              key={each}
              isSmall
              icon={VERB_ICONS[each]}
              tone={each === 'delete' ? 'danger' : 'plain'}
              needs={VERB_PERMISSIONS[each]}
              onClick={() => (verb.value = each)}
            >
              {verbName(each)}
            </Button>
          ))}
          <Button isSmall tone="quiet" icon="close" label={texts.clear} onClick={clear} />
        </div>
      </section>
      {verb.value !== null && (
        <BulkDialog verb={verb.value} parts={partsOf(chosen, q)} onDone={clear} onClose={() => (verb.value = null)} />
      )}
    </>
  )
}
