import type { Locale } from '../../time/locale.ts'
import type { Problem } from '../response/problem.ts'
import { HTML_HEADERS } from './page-headers.ts'

/** A problem for somebody who reads it in a browser. */
export function problemPage(
  { status, title, detail, trace_id: traceId }: Problem,
  language: Locale,
  headers: Readonly<Record<string, string>>,
): Response {
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Pontual</title>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(detail)}</p>
<p><small>${status} · ${escaped(traceId)}</small></p>
</main>
</body>
</html>
`
  return new Response(html, { status, headers: { ...headers, ...HTML_HEADERS } })
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
