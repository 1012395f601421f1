import './steps.css'
import type { ExecutionDetailView } from '../../api/wire.ts'
import { useUrlState } from '../../frame/url-state.ts'
import { ProblemBox } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import type { ActivityView } from './activity.ts'
import { ActivityDialog } from './activity-dialog.tsx'
import { StepTable } from './step-table.tsx'
import { stepTexts } from './step-texts.ts'
import { WaterfallDiagram } from './waterfall-diagram.tsx'
import type { Zoom } from './waterfall-layout.ts'

interface StepsProps {
  readonly execution: ExecutionDetailView
  readonly entries: readonly ActivityView[]
  readonly error: Error | null
}

/** What a durable execution did, step by step: over time, or as a table. */
export function Steps({ execution, entries, error }: StepsProps) {
  const texts = stepTexts.value.waterfall
  const [parameters, set] = useUrlState()
  const isTable = parameters.get('steps') === 'table'
  const zoom: Zoom = parameters.get('zoom') === 'minute' ? 'minute' : 'fit'
  const opened = entries.find(({ sequence }) => String(sequence) === parameters.get('step'))
  if (error && entries.length === 0) return <ProblemBox error={error} />
  const open = ({ sequence }: ActivityView) => set({ step: String(sequence) })
  return (
    <div class="steps">
      <div class="row between">
        <Choice
          label={texts.view}
          names={texts.views}
          chosen={isTable ? 'table' : 'diagram'}
          onChoose={(key) => set({ steps: key === 'table' ? key : null })}
        />
        {!isTable && (
          <Choice
            label={texts.zoom}
            names={texts.zooms}
            chosen={zoom}
            onChoose={(key) => set({ zoom: key === 'minute' ? key : null })}
          />
        )}
      </div>
      {isTable ? (
        <StepTable execution={execution} entries={entries} onOpen={open} />
      ) : (
        <WaterfallDiagram execution={execution} entries={entries} zoom={zoom} onOpen={open} />
      )}
      {opened && (
        <ActivityDialog execution={execution} entries={entries} entry={opened} onClose={() => set({ step: null })} />
      )}
    </div>
  )
}

interface ChoiceProps<Key extends string> {
  readonly label: string
  readonly names: Readonly<Record<Key, string>>
  readonly chosen: Key
  readonly onChoose: (key: Key) => void
}

function Choice<Key extends string>({ label, names, chosen, onChoose }: ChoiceProps<Key>) {
  return (
    <div class="row" role="group" aria-label={label}>
      {(Object.entries(names) as [Key, string][]).map(([key, name]) => (
        <Button key={key} isSmall tone="quiet" pressed={key === chosen} onClick={() => onChoose(key)}>
          {name}
        </Button>
      ))}
    </div>
  )
}
