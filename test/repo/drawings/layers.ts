import { escapeXml } from './timeline.ts'

type Language = 'en' | 'pt'

interface Box {
  readonly name: string
  readonly en: string
  readonly pt: string
}

const box = (name: string, en: string, pt: string): Box => ({ name, en, pt })

const TITLE = {
  en: 'The folders of src/: each imports only from the rows below it',
  pt: 'As pastas de src/: cada uma importa apenas das linhas abaixo dela',
}

/** The rows of `test/repo/architecture/import-rule.ts`, from the top. */
const LAYERS: readonly (readonly Box[])[] = [
  [box('cli/', 'the command pontual', 'o comando pontual')],
  [box('server/', 'HTTP: routes, authentication', 'HTTP: rotas, autenticação')],
  [box('service/', 'tenants, permissions, audit', 'tenants, permissões, auditoria')],
  [box('pontual.ts', 'the public class of the library', 'a classe pública da biblioteca')],
  [box('engine/', 'fires, claims, runs, recovers', 'dispara, reserva, executa, recupera')],
  [box('durable/', 'one durable run', 'uma execução durável'), box('store/*.ts', 'the port', 'a porta')],
  [box('time/', 'when', 'quando'), box('job/', 'what', 'o quê'), box('access/', 'who', 'quem')],
  [box('errors.ts, duration.ts, clock.ts', '', '')],
]

/** Folders outside the layers, by the row in which they are drawn. */
const ASIDE: readonly (Box & { readonly row: number })[] = [
  { ...box('index.ts, postgres.ts, …', 'entry points: re-exports', 'pontos de entrada'), row: 0 },
  { ...box('testing/', 'tools for tests of users', 'ferramentas de teste'), row: 1 },
  { ...box('store/memory/', 'the port in maps', 'a porta em mapas'), row: 3 },
  { ...box('store/postgres/, sql/', 'the port in SQL', 'a porta em SQL'), row: 4 },
  { ...box('store/driver/', 'sends SQL: pg, PGlite', 'envia SQL: pg, PGlite'), row: 5 },
]

const WIDTH = 860
const TOP = 52
const ROW = 52
const HEIGHT = 40
const LEFT = { from: 20, to: 560 }
const RIGHT = { from: 590, to: 840 }

/** The layers of the sources, with the rule that decides which of them may import which. */
export function drawLayers(language: Language): string {
  const height = TOP + LAYERS.length * ROW + 8
  const boxes = [
    ...LAYERS.flatMap((layer, row) => {
      const width = (LEFT.to - LEFT.from - (layer.length - 1) * 12) / layer.length
      return layer.map((each, index) => drawBox(each, language, LEFT.from + index * (width + 12), row, width))
    }),
    ...ASIDE.map((each) => drawBox(each, language, RIGHT.from, each.row, RIGHT.to - RIGHT.from)),
  ]
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${TITLE[language]}</title>`,
    STYLE,
    `<rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>`,
    `<text class="title" x="20" y="30">${TITLE[language]}</text>`,
    ...boxes.flat(),
    '</svg>',
  ].join('\n')}\n`
}

function drawBox(box: Box, language: Language, x: number, row: number, width: number): string[] {
  const y = TOP + row * ROW
  const middle = y + HEIGHT / 2 + 4
  const isWide = width > 300
  const name = `<text class="name" x="${x + 14}" y="${isWide || box[language] === '' ? middle : middle - 7}">${escapeXml(box.name)}</text>`
  const note = isWide
    ? `<text class="quiet" x="${x + 130}" y="${middle}">${escapeXml(box[language])}</text>`
    : `<text class="quiet" x="${x + 14}" y="${middle + 9}">${escapeXml(box[language])}</text>`
  return [
    `<rect class="box" x="${x}" y="${y}" width="${width}" height="${HEIGHT}" rx="6"/>`,
    name,
    ...(box[language] === '' ? [] : [note]),
  ]
}

const STYLE = `<style>
  text { font: 12px ui-sans-serif, system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2430 }
  .ground { fill: #ffffff; stroke: #d5d9e2 }
  .title { font-weight: 600; font-size: 14px }
  .name { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-weight: 600 }
  .box { fill: #f4f6fa; stroke: #aab1c0 }
  .quiet { fill: #5b6374 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e7e9ee }
    .ground { fill: #161a22; stroke: #333a48 }
    .box { fill: #202632; stroke: #566074 }
    .quiet { fill: #a3abbb }
  }
</style>`
