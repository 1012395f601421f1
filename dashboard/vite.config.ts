import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Pages that are opened one after the other are fetched together: a few larger files pack better than many small ones. The first that fits counts. */
const GROUPS: readonly (readonly [name: string, modules: RegExp])[] = [
  ['overview', /\/src\/pages\/overview\//],
  ['executions', /\/src\/(pages\/executions?|parts\/(log|waterfall|windowed|visible|plain))/],
  ['jobs', /\/src\/(pages\/(jobs|job|job-form|approvals)\/|parts\/cron-field)/],
  ['schema-form', /\/src\/parts\/json-schema-form/],
  ['plan', /\/src\/pages\/(calendar|calendars|what-if)\//],
  ['govern', /\/src\/pages\/(audit|alerts|kpis|settings|workers)\/|\/src\/parts\/chart/],
  ['palette', /\/src\/frame\/palette/],
  ['frame', /./],
]

/** `npm start` serves the API for `npx vite dashboard` to ask. */
const API = process.env['PONTUAL_API'] ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root: at('.'),
  // Everything is found from where the page lies, wherever the server is mounted.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: at('dist'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // What is inlined as data would need a policy that allows it.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: GROUPS.map(([name, test], at) => ({ name, test, priority: GROUPS.length - at })),
        },
      },
    },
    manifest: true,
    // What is packed in is named with its licence.
    license: { fileName: 'licenses.md' },
  },
  // The host stays as the browser sees it: the API refuses pages of another origin.
  server: { proxy: { '/api': { target: API, changeOrigin: false } } },
})
