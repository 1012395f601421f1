import { useRef, useState } from 'preact/hooks'
import { Tabs } from '../tabs.tsx'
import { findingsOf } from './check.ts'
import { JsonPart } from './json-part.tsx'
import { Part } from './part.tsx'
import './schema-form.css'
import { type JsonSchema, shapeOf } from './shape.ts'
import type { Surroundings } from './surroundings.ts'
import { sayFinding, schemaFormTexts } from './texts.ts'

interface SchemaFormProps {
  /** What the whole is called. */
  readonly label: string
  /** null: anything may be given, as JSON. */
  readonly schema: JsonSchema | null
  /** undefined, as null: nothing is given. */
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  /** What the server says is wrong, by pointers into the value: `''` is the whole, `/url` a field of it. */
  readonly problems?: readonly { readonly pointer: string; readonly message: string }[]
  /** Shows all that is wrong, as once somebody has sent it; before, only what he has left behind. */
  readonly isChecked?: boolean
  /** Whether some text in it is no JSON: then the value is not what is on the screen. */
  readonly onBroken?: (isBroken: boolean) => void
}

/** A value by a form that its JSON Schema makes, or as JSON; both are always in step. */
export function SchemaForm(props: SchemaFormProps) {
  const { label, schema, value, onChange, problems = [], isChecked = false, onBroken } = props
  const hasForm = schema !== null && shapeOf(schema, schema).shape.kind !== 'json'
  const [view, setView] = useState<'form' | 'json'>('form')
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [isHeld, setHeld] = useState(false)
  const broken = useRef(new Set<string>())
  const texts = schemaFormTexts.value

  const own = new Map<string, string>()
  if (schema !== null) {
    for (const finding of findingsOf(schema, value ?? undefined)) {
      if (isChecked || touched.has(finding.pointer)) own.set(finding.pointer, sayFinding(finding))
    }
  }
  const around: Surroundings = {
    root: schema ?? {},
    Part,
    problemAt: (pointer) => problems.find((each) => each.pointer === pointer)?.message ?? own.get(pointer),
    markText(pointer, isBroken) {
      if (isBroken) broken.current.add(pointer)
      else broken.current.delete(pointer)
      if (!isBroken) setHeld(false)
      onBroken?.(broken.current.size > 0)
    },
  }
  const isForm = hasForm && view === 'form'
  return (
    <div
      class="schema-form"
      onFocusOut={(event) => {
        const left = (event.target as HTMLElement).closest<HTMLElement>('[data-pointer]')?.dataset['pointer']
        if (left !== undefined && !touched.has(left)) setTouched(new Set([...touched, left]))
      }}
    >
      {hasForm && (
        <Tabs
          label={`${label}: ${texts.views}`}
          tabs={[
            { key: 'form', name: texts.form },
            { key: 'json', name: texts.json },
          ]}
          chosen={view}
          onChoose={(chosen) => {
            if (broken.current.size > 0) setHeld(true)
            else setView(chosen)
          }}
        />
      )}
      {isHeld && (
        <p class="field-problem" role="alert">
          {texts.fixFirst}
        </p>
      )}
      <div>
        {isForm ? (
          <Part
            around={around}
            schema={schema}
            pointer=""
            name={label}
            value={value ?? undefined}
            isRequired
            onChange={onChange}
          />
        ) : (
          <div data-pointer="">
            <JsonPart
              label={hasForm ? `${label} (JSON)` : label}
              value={value}
              problem={wholeProblem(around, problems, own)}
              lines={10}
              onChange={onChange}
              onBroken={(isBroken) => around.markText('', isBroken)}
            />
          </div>
        )}
      </div>
    </div>
  )
}

/** As JSON there is one place for all problems, so each is said with where it is. */
function wholeProblem(
  around: Surroundings,
  problems: NonNullable<SchemaFormProps['problems']>,
  own: ReadonlyMap<string, string>,
): string | undefined {
  const pointers = new Set([...problems.map(({ pointer }) => pointer), ...own.keys()])
  const said = [...pointers].map((pointer) => `${pointer === '' ? '' : `${pointer}: `}${around.problemAt(pointer)}`)
  return said.length === 0 ? undefined : said.join(' · ')
}
