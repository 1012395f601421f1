import type { LogLineView } from '../api/wire.ts'
import { dateTime } from '../language/format.ts'
import { logTexts } from './log-texts.ts'
import { plainText } from './plain-text.ts'

/** One line, whole. */
export function LogLine({ line }: { readonly line: LogLineView }) {
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
