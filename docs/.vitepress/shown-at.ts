/** Files of the repository beside docs/ that pages may link to, and where the site shows them. */
export const SHOWN_AT: Readonly<Record<string, string>> = {
  'README.md': 'index.md',
  'README.pt-BR.md': 'pt/index.md',
  'bench/RESULTS.md': 'project/benchmarks.md',
  'CONTRIBUTING.md': 'project/contributing.md',
  'CHANGELOG.md': 'project/changelog.md',
}
