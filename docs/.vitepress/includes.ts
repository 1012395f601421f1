const INCLUDE = /<!-- @include: @\/(\S+) -->/g

/** The files that a page includes, by their paths in `docs`. */
export function includesOf(markdown: string): string[] {
  return [...markdown.matchAll(INCLUDE)].map(([, path]) => path!)
}

/** A page with the text of the files that it includes, as VitePress renders it. */
export function withIncludes(markdown: string, read: (path: string) => string): string {
  return markdown.replaceAll(INCLUDE, (_all, path: string) => read(path).trimEnd())
}
