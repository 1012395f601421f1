import { defineConfig } from 'vitepress'
import { fileNames } from './file-names.ts'
import { linksOutside } from './links-outside.ts'
import { writeLlms } from './llms.ts'
import { english, portuguese } from './locales.ts'

/** The site of the documentation: English at the root, Portuguese under pt/ with the same paths. */
export default defineConfig({
  title: 'Pontual',
  description: 'Job scheduler and durable execution engine for TypeScript on PostgreSQL',
  // Where the site is not at the root of its host: /pontual/
  base: process.env['PONTUAL_DOCS_BASE'] ?? '/',
  cleanUrls: true,
  lastUpdated: false,
  srcExclude: ['**/node_modules/**'],
  head: [['meta', { name: 'color-scheme', content: 'light dark' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    config(markdown) {
      linksOutside(markdown)
      fileNames(markdown)
    },
  },
  locales: { root: english, pt: portuguese },
  themeConfig: {
    search: {
      provider: 'local',
      options: { detailedView: true, locales: { pt: { translations: portuguese.search } } },
    },
  },
  // The index of the search is one file.
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
  buildEnd: writeLlms,
})
