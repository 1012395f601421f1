import type { Block } from './blocks.ts'

/** The service that the commands of a page ask before the page starts one of its own. */
export type Asked = 'none' | 'dev' | 'start'

const LOCAL = 'http://127.0.0.1:3000'
/** What pages call a service in production: one of `pontual start` on PostgreSQL, where $TOKEN is that of an Admin. */
const PRODUCTION = 'https://jobs.example.com'
const STARTS = /^(?:npx pontual (?:dev|start)|npm start(?! --))/m

export function isRun({ language, options }: Block): boolean {
  return language === 'sh' && !('skip' in options)
}

export function askedBy(blocks: readonly Block[]): Asked {
  for (const { text } of blocks.filter(isRun)) {
    if (text.includes(PRODUCTION)) return 'start'
    if (STARTS.test(text)) return 'none'
    if (text.includes(LOCAL)) return 'dev'
  }
  return 'none'
}

/** Whether commands of a page need a database on a server. */
export function needsPostgres(blocks: readonly Block[]): boolean {
  const texts = blocks.filter(isRun).map(({ text }) => text)
  return texts.some(
    (text) => /DATABASE_URL|postgres:\/\/|npx pontual (?:start|migrate)/.test(text) || text.includes(PRODUCTION),
  )
}

/** What stands behind commands as what they print: a block of `text`; null where there is none. */
export function printedBy(blocks: readonly Block[], index: number): Block | null {
  const [block, next] = [blocks[index], blocks[index + 1]]
  return block && isRun(block) && next?.language === 'text' && next.file === null ? next : null
}

/** The files and the commands of a page in their order, as one script for bash. */
export function scriptOf(blocks: readonly Block[], at: { readonly url: string; readonly databaseUrl: string }): string {
  const asked = askedBy(blocks)
  const parts = blocks.flatMap((block, index) => {
    if (block.file !== null) return [write(block.file, block.text)]
    if (!isRun(block)) return []
    const printed = printedBy(blocks, index) === null ? '' : `"$RUN/printed-${index}"`
    return [`block='${block.page}:${block.line}'`, ...kept(run(block, `"$RUN/block-${index}.sh"`), printed)]
  })
  const before = asked === 'none' ? '' : `pontual ${asked}`
  return [before, ...parts]
    .join('\n')
    .replaceAll(LOCAL, at.url)
    .replaceAll(PRODUCTION, at.url)
    .replaceAll(/postgres:\/\/[^\s'"]+/g, at.databaseUrl)
}

function run({ text, options: { until, exit } }: Block, file: string): string {
  if (until !== undefined) return `${write(file, text, '')}\nrun_until ${quoted(until)} ${file}`
  if (exit !== undefined) return `code=0; (\n${text}\n) || code=$?\n[ "$code" = ${quoted(exit)} ]`
  return text
}

/** Commands whose output is kept in a file, and shown afterwards. */
function kept(commands: string, file: string): string[] {
  if (file === '') return [commands]
  return [`printed=${file}`, `{\n${commands}\n} > ${file} 2>&1`, `cat ${file}`, "printed=''"]
}

function write(file: string, text: string, folder = '$PWD/'): string {
  const path = file.startsWith('"') ? file : `"${folder}${file}"`
  return `mkdir -p "$(dirname ${path})"; cat > ${path} <<'END_OF_FILE'\n${text}END_OF_FILE`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Commands without their comments, which are translated; what is left has to be the same in both languages. */
export function commandsOf(blocks: readonly Block[]): string[] {
  return blocks
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text.replaceAll(/(^| +)#.*$/gm, '').trim())
}
