import { readFileSync } from 'node:fs'

/** Pages of the repository outside docs/, by what the site calls them. */
const PAGES = { benchmarks: 'bench/RESULTS.md', contributing: 'CONTRIBUTING.md', changelog: 'CHANGELOG.md' }

// VitePress asks for a default export.
// biome-ignore lint/style/noDefaultExport: see above
export default {
  watch: Object.values(PAGES).map((path) => `../../${path}`),
  paths: () => Object.entries(PAGES).map(([page, path]) => ({ params: { page }, content: contentOf(path) })),
}

/** The text with links that are right from docs/project. */
function contentOf(path) {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  return text.replaceAll(/\]\((?![a-z]+:|#)([^)]+)\)/g, (_link, target) =>
    target.startsWith('docs/') ? `](../${target.slice('docs/'.length)})` : `](../../${target})`,
  )
}
