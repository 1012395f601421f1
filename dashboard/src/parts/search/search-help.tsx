import { Dialog } from '../dialog.tsx'
import { Table } from '../table.tsx'
import type { SearchKey } from './suggest.ts'
import { searchTexts } from './texts.ts'

interface SearchHelpProps {
  readonly keys: readonly SearchKey[]
  readonly example: string
  readonly onClose: () => void
}

const MOST_EXAMPLES = 8

/** How a search is written. */
export function SearchHelp({ keys, example, onClose }: SearchHelpProps) {
  const texts = searchTexts.value
  return (
    <Dialog title={texts.help} onClose={onClose} size="large">
      <p>{texts.intro}</p>
      <p>
        {texts.example}: <code>{example}</code>
      </p>
      <p>
        {texts.quotes} <code>"status:failed"</code>
      </p>
      <Table
        label={texts.keys}
        rows={keys}
        rowKey={({ key }) => key}
        columns={[
          { key: 'key', title: texts.key, width: 'narrow', cell: ({ key }) => <code>{key}:</code> },
          { key: 'meaning', title: texts.meaning, cell: ({ meaning }) => meaning },
          {
            key: 'values',
            title: texts.values,
            cell: ({ values }) => (
              <span class="row">
                {values.slice(0, MOST_EXAMPLES).map(({ value }) => (
                  <code key={value}>{value}</code>
                ))}
              </span>
            ),
          },
        ]}
      />
    </Dialog>
  )
}
