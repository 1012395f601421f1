import './log-view.css'
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { withParameters } from '../api/ask.ts'
import { apiAddress } from '../api/places.ts'
import type { LogLineView } from '../api/wire.ts'
import { useUrlState } from '../frame/url-state.ts'
import { dateTime, number, timeOfDay, zoneName } from '../language/format.ts'
import { missingPermission } from '../language/names.ts'
import { may } from '../session/session.ts'
import { Empty, ProblemBox } from './answer.tsx'
import { Button } from './button.tsx'
import { SelectField, TextField } from './field.tsx'
import { Icon } from './icon.tsx'
import { LEVELS, LogBuffer, type LogFilter } from './log-buffer.ts'
import { followLog, type LogState } from './log-stream.ts'
import { logTexts } from './log-texts.ts'
import { plainLine, plainText } from './plain-text.ts'
import { WindowedList } from './windowed-list.tsx'

const ROW_PX = 26

/** On a phone what is said stands below when it was said. */
const NARROW_ROW_PX = 46
const narrow = matchMedia('(max-width: 640px)')
const OPEN_PX = 180
const MOST_PX = 520

interface LogViewProps {
  readonly executionId: string
  /** How many attempts there were. */
  readonly attempts: number
}

/** The log of an execution as it is written. */
export function LogView(props: LogViewProps) {
  if (!may('jobs:viewLogs')) return <p class="muted">{missingPermission('jobs:viewLogs')}</p>
  return <FollowedLog key={props.executionId} {...props} />
}

function FollowedLog({ executionId, attempts }: LogViewProps) {
  const texts = logTexts.value
  const [filter, filterForm] = useFilter(executionId, attempts)
  const { buffer, version, state, error } = useLog(executionId)
  const isFollowing = useSignal(true)
  const openSequence = useSignal<number | null>(null)
  buffer.filter(filter)
  const { shown } = buffer
  const openAt = shown.findIndex(({ sequence }) => sequence === openSequence.value)
  const opened = shown[openAt]
  const isOver = state === 'ended'
  return (
    <div class="log">
      {filterForm}
      <div class="row between">
        <p class="small muted">
          {texts.counted(shown.length, buffer.count)}
          {buffer.forgotten > 0 && ` ${texts.forgotten(number(buffer.forgotten))}`} ·{' '}
          {shown[0] && `${texts.zone(zoneName(shown[0].at))} · `}
          <span role="status">{texts.states[state]}</span>
        </p>
        {!isOver && (
          <Button
            isSmall
            icon="down"
            pressed={isFollowing.value}
            onClick={() => (isFollowing.value = !isFollowing.value)}
          >
            {texts.follow}
          </Button>
        )}
      </div>
      {error && <ProblemBox error={error} />}
      {shown.length === 0 ? (
        <Empty icon="audit" title={buffer.count > 0 ? texts.nothingFound : texts.nothing} />
      ) : (
        <WindowedList
          label={texts.label}
          count={shown.length}
          rowPx={narrow.matches ? NARROW_ROW_PX : ROW_PX}
          mostPx={MOST_PX}
          followed={isFollowing.value && !isOver ? version : null}
          rowKey={(at) => shown[at]?.sequence ?? at}
          rowClass={(at) => `log-row ${shown[at]?.level ?? ''}`}
          onOpen={(at) => {
            const sequence = shown[at]?.sequence ?? null
            isFollowing.value = false
            openSequence.value = sequence === openSequence.value ? null : sequence
          }}
          onScroll={({ isAtEnd }) => {
            if (!isAtEnd) isFollowing.value = false
          }}
          open={opened === undefined ? null : { at: openAt, px: OPEN_PX, content: <LogLine line={opened} /> }}
          row={(at) => {
            const line = shown[at]
            if (!line) return null
            return (
              <>
                <span class="log-at">{timeOfDay(line.at, { hasSeconds: true })}</span>
                <span class="log-level">{line.level}</span>
                {attempts > 1 && <span class="log-attempt">{texts.attemptShort(line.attempt)}</span>}
                <span class="log-message">{plainLine(line.message)}</span>
                {line.fields !== null && <span class="log-fields">{plainLine(JSON.stringify(line.fields))}</span>}
              </>
            )
          }}
        />
      )}
    </div>
  )
}

/** Which lines are wanted, from the address, and the controls to say so. */
function useFilter(executionId: string, attempts: number) {
  const texts = logTexts.value
  const [parameters, set] = useUrlState()
  const level = LEVELS.find((each) => each === parameters.get('level'))
  const attempt = Number(parameters.get('attempt')) || undefined
  const filter: LogFilter = { level, attempt, text: parameters.get('find') ?? undefined }
  const path = `jobs/executions/${executionId}/logs/download`
  const form = (
    <div class="log-controls">
      <SelectField
        label={texts.level}
        value={level ?? ''}
        options={[
          { value: '', name: texts.anyLevel },
          ...LEVELS.map((value) => ({ value, name: texts.levels[value] })),
        ]}
        onChange={(value) => set({ level: value })}
      />
      {attempts > 1 && (
        <SelectField
          label={texts.attempt}
          value={String(attempt ?? '')}
          options={[
            { value: '', name: texts.anyAttempt },
            ...Array.from({ length: attempts }, (_, at) => ({ value: String(at + 1), name: String(at + 1) })),
          ]}
          onChange={(value) => set({ attempt: value })}
        />
      )}
      <TextField
        label={texts.find}
        type="search"
        value={filter.text ?? ''}
        onInput={(value) => set({ find: value })}
        more={{ spellcheck: false }}
      />
      <a class="button" href={apiAddress(withParameters(path, { level, attempt, archived: true }))} download>
        <Icon name="download" />
        <span>{texts.download}</span>
      </a>
    </div>
  )
  return [filter, form] as const
}

function useLog(executionId: string) {
  const buffer = useMemo(() => new LogBuffer(), [])
  const version = useSignal(0)
  const told = useSignal<{ readonly state: LogState; readonly error?: Error | undefined }>({ state: 'connecting' })
  useEffect(
    () =>
      followLog(executionId, {
        lines(lines) {
          buffer.add(lines)
          version.value += 1
        },
        state(state, error) {
          told.value = { state, error }
        },
      }),
    [executionId, buffer, version, told],
  )
  return useComputed(() => ({ buffer, version: version.value, ...told.value })).value
}

/** One line, whole. */
function LogLine({ line }: { readonly line: LogLineView }) {
  return (
    <div class="log-whole">
      <p class="small muted">
        {dateTime(line.at)} · {logTexts.value.levels[line.level]} · {logTexts.value.attempt} {line.attempt}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard. */}
      <pre tabIndex={0}>
        {plainText(line.message)}
        {line.fields !== null && `\n${plainText(JSON.stringify(line.fields, null, 2))}`}
      </pre>
    </div>
  )
}
