import type { MarkdownRenderer } from 'vitepress'

/** Shows the name of the file above a block that begins with ```ts [jobs.ts]; in a group of blocks its tab shows it. */
export function fileNames(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('file-names', ({ tokens }) => {
    let isInGroup = false
    for (const token of tokens) {
      if (token.type === 'container_code-group_open') isInGroup = true
      if (token.type === 'container_code-group_close') isInGroup = false
      if (token.type === 'fence' && !isInGroup)
        token.meta = { ...token.meta, file: /\[([^\]]+)\]/.exec(token.info)?.[1] }
    }
  })
  const fence = markdown.renderer.rules.fence
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const block = fence?.(tokens, index, options, env, self) ?? ''
    const file: unknown = tokens[index]?.meta?.file
    return typeof file === 'string'
      ? `<p class="file-name" v-pre>${markdown.utils.escapeHtml(file)}</p>${block}`
      : block
  }
}
