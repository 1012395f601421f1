import type { MailDocument, MailSection } from './mail-document.ts'

/** A mail as plain text. */
export function mailText({ intro, sections, footer }: MailDocument): string {
  const blocks = sections.map((section) => sectionText(section, sections.length > 1))
  return `${[intro, ...blocks, `-- \n${footer}`].join('\n\n')}\n`
}

function sectionText({ title, rows, link }: MailSection, hasTitle: boolean): string {
  const lines = rows.map(([label, value]) => `${label}: ${value.replaceAll('\n', '\n  ')}`)
  if (link) lines.push(`${link.label}: ${link.url}`)
  return [...(hasTitle ? [title] : []), ...lines].join('\n')
}

const STYLE = 'font-family:system-ui,sans-serif;font-size:14px;line-height:1.5;color:#1f2328'
const CELL = 'padding:2px 12px 2px 0;vertical-align:top'

/** The same as HTML that loads nothing from anywhere. All that was not written here is escaped. */
export function mailHtml({ language, subject, intro, sections, footer }: MailDocument): string {
  const blocks = sections.map((section) => sectionHtml(section)).join('')
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>` +
    `<body style="${STYLE}"><p>${escaped(intro)}</p>${blocks}<hr><p style="color:#59636e">${escaped(footer)}</p></body></html>`
  )
}

function sectionHtml({ title, rows, link }: MailSection): string {
  const cells = rows
    .map(
      ([label, value]) =>
        `<tr><th style="${CELL};text-align:left">${escaped(label)}</th><td style="${CELL}">${lines(value)}</td></tr>`,
    )
    .join('')
  const button = link ? `<p><a href="${escaped(link.url)}">${escaped(link.label)}</a></p>` : ''
  return `<h2 style="font-size:16px">${escaped(title)}</h2><table>${cells}</table>${button}`
}

function lines(text: string): string {
  return escaped(text).replaceAll('\n', '<br>')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)
}
