import './diff.css'
import type { ComponentChildren } from 'preact'
import { inBoth } from '../language/language.ts'
import { diffLines, foldLines, jsonLines, type ShownLine } from './diff-lines.ts'

const diffTexts = inBoth({
  'pt-BR': {
    field: 'Campo',
    before: 'Antes',
    after: 'Depois',
    added: 'Incluída:',
    removed: 'Retirada:',
    folded: (count: number) => (count === 1 ? '1 linha igual' : `${count} linhas iguais`),
    same: 'Nada mudou.',
    nothing: '(vazio)',
    unknown: 'Não se sabe mais',
  },
  en: {
    field: 'Field',
    before: 'Before',
    after: 'After',
    added: 'Added:',
    removed: 'Removed:',
    folded: (count: number) => (count === 1 ? '1 line that is the same' : `${count} lines that are the same`),
    same: 'Nothing has changed.',
    nothing: '(empty)',
    unknown: 'Not known any more',
  },
})

interface JsonDiffProps {
  /** undefined: there was nothing. */
  readonly before: unknown
  readonly after: unknown
  /** Read out as what is compared. */
  readonly label: string
}

/** Two states of the same data, line by line. */
export function JsonDiff({ before, after, label }: JsonDiffProps) {
  const lines = diffLines(jsonLines(before), jsonLines(after))
  if (lines.every(({ kind }) => kind === 'same')) return <p class="muted">{diffTexts.value.same}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
    <pre class="diff-lines" tabIndex={0} role="region" aria-label={label}>
      {foldLines(lines).map((line, at) => (
        <Line key={at} line={line} />
      ))}
    </pre>
  )
}

function Line({ line }: { readonly line: ShownLine }) {
  const texts = diffTexts.value
  if (line.kind === 'folded') return <span class="diff-line folded">{texts.folded(line.count)}</span>
  if (line.kind === 'same') return <span class="diff-line">{line.text}</span>
  const Mark = line.kind === 'added' ? 'ins' : 'del'
  return (
    <Mark class="diff-line">
      <span class="visually-hidden">{line.kind === 'added' ? texts.added : texts.removed} </span>
      {line.text}
    </Mark>
  )
}

interface ShownChange {
  readonly field: string
  /** What the field is called; absent: as the API calls it. */
  readonly name?: string
  readonly before: unknown
  readonly after: unknown
  /** False: nobody knows any more what it was. Default: true. */
  readonly isBeforeKnown?: boolean
}

interface FieldDiffProps {
  /** Read out as what the table holds. */
  readonly label: string
  readonly changes: readonly ShownChange[]
  /** Nothing was there before: what is now stands alone. */
  readonly isFirst?: boolean
  /** How a value is told; undefined: as the data it is. */
  readonly show?: (field: string, value: unknown) => ComponentChildren | undefined
}

/** Fields with what they were and what they are; those that hold data are told line by line. */
export function FieldDiff({ label, changes, isFirst = false, show }: FieldDiffProps) {
  const texts = diffTexts.value
  if (changes.length === 0) return <p class="muted">{texts.same}</p>
  return (
    <div class="table-frame field-diff">
      <table role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {[texts.field, ...(isFirst ? [] : [texts.before]), texts.after].map((title) => (
              <th key={title} role="columnheader" scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {changes.map((change) => (
            <Row key={change.field} change={change} isFirst={isFirst} show={show} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  readonly change: ShownChange
  readonly isFirst: boolean
  readonly show: FieldDiffProps['show']
}

function Row({ change, isFirst, show }: RowProps) {
  const texts = diffTexts.value
  const { field, name = field, before, after, isBeforeKnown = true } = change
  const told = (value: unknown) => show?.(field, value) ?? <Value value={value} />
  const isData = !isFirst && isBeforeKnown && isStructured(before) && isStructured(after)
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        {name}
      </th>
      {isData ? (
        <td role="cell" colSpan={2}>
          <JsonDiff before={before} after={after} label={name} />
        </td>
      ) : (
        <>
          {!isFirst && (
            <td role="cell" data-label={texts.before}>
              {isBeforeKnown ? <del>{told(before)}</del> : <em class="muted">{texts.unknown}</em>}
            </td>
          )}
          <td role="cell" data-label={texts.after}>
            {isFirst ? told(after) : <ins>{told(after)}</ins>}
          </td>
        </>
      )}
    </tr>
  )
}

function isStructured(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function Value({ value }: { readonly value: unknown }) {
  if (value === null || value === undefined || value === '') {
    return <span class="muted">{diffTexts.value.nothing}</span>
  }
  return <code class="diff-value">{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</code>
}
