import { ALERT_KINDS, type AlertKind } from '../../store/alerts.ts'
import type { NotificationFacts } from '../../store/notifications.ts'
import type { Locale } from '../../time/locale.ts'
import type { Catalogue } from '../i18n/pt-br/texts.ts'
import { textsIn } from '../i18n/say.ts'
import type { Told } from './told.ts'

/** What a mail says, before it is text or HTML. */
export interface MailDocument {
  readonly language: Locale
  readonly subject: string
  readonly intro: string
  readonly sections: readonly MailSection[]
  readonly footer: string
}

interface MailSection {
  readonly title: string
  readonly rows: readonly (readonly [label: string, value: string])[]
  readonly link: { readonly label: string; readonly url: string } | null
}

type MailTexts = Catalogue['mail']

const MAX_ERROR_LENGTH = 2_000
const MAX_NAME_LENGTH = 120
const PREFIX = '[Pontual]'

export interface MailContents {
  readonly told: readonly Told[]
  /** How many there were, of which not all may be here. */
  readonly count: number
  readonly language: Locale
  readonly publicUrl: string | null
}

/** One event, or a digest of several. */
export function mailDocument({ told, count, language, publicUrl }: MailContents): MailDocument {
  const texts = textsIn(language).mail
  const [first] = told
  const sections = told.map((each) => sectionOf(each, texts, language, publicUrl))
  const isDigest = count > 1 || first === undefined
  const subject = isDigest ? texts.subjects.digest(count) : subjectOf(first, texts, language)
  const intro = isDigest ? texts.intros.digest(count, told.length) : introOf(first, texts)
  return { language, subject: onOneLine(`${PREFIX} ${subject}`), intro, sections, footer: texts.footer }
}

function subjectOf(told: Told, { subjects }: MailTexts, language: Locale): string {
  switch (told.event.kind) {
    case 'job.failed':
      return subjects.jobFailed(shortName(told))
    case 'alert.opened':
      return subjects.alertOpened(alertName(told, language))
    case 'alert.closed':
      return subjects.alertClosed(alertName(told, language))
    case 'scheduler.unavailable':
      return subjects.schedulerUnavailable
    case 'schedule.refused':
      return subjects.scheduleRefused(shortName(told))
    case 'approval_rules.pending':
      return subjects.approvalRulesPending
    case 'approval_rules.loosened':
      return subjects.approvalRulesLoosened
    case 'notification.test':
      return subjects.test
  }
}

function introOf({ event }: Told, { intros }: MailTexts): string {
  switch (event.kind) {
    case 'job.failed':
      return intros.jobFailed
    case 'alert.opened':
      return intros.alertOpened
    case 'alert.closed':
      return intros.alertClosed
    case 'scheduler.unavailable':
      return intros.schedulerUnavailable
    case 'schedule.refused':
      return intros.scheduleRefused
    case 'approval_rules.pending':
      return intros.approvalRulesPending
    case 'approval_rules.loosened':
      return intros.approvalRulesLoosened
    case 'notification.test':
      return intros.test
  }
}

function sectionOf(told: Told, texts: MailTexts, language: Locale, publicUrl: string | null): MailSection {
  const { event, job, execution } = told
  const { labels } = texts
  const isFailure = event.kind === 'job.failed'
  const rows: [string, string | null][] = [
    [labels.job, job && (job.name === null ? `${job.id} (${texts.unknownJob})` : onOneLine(job.name))],
    [labels.alert, isAlert(told) ? alertName(told, language) : null],
    [labels.jobType, job === null && execution?.jobType ? onOneLine(execution.jobType) : null],
    [isFailure ? labels.failedAt : labels.at, instantIn(event.at, language, job?.timeZone ?? null)],
    [labels.value, measured(told, language)],
    [labels.error, isFailure ? errorText(told, texts) : null],
    [labels.action, isFailure ? texts.actions[execution?.errorClass ?? 'unknown'] : actionOf(told, language)],
    [labels.attempts, isFailure ? figure(execution?.attempts, language) : null],
    [labels.execution, execution?.id ?? null],
    [labels.rule, ruleOf(event, texts)],
    [labels.requestedBy, personOf(event.facts['requestedBy'])],
    [labels.decidedBy, event.kind === 'approval_rules.loosened' ? personOf(event.facts['userId']) : null],
  ]
  return {
    title: subjectOf(told, texts, language),
    rows: rows.filter((row): row is [string, string] => row[1] !== null),
    link: linkTo(told, publicUrl, labels.link),
  }
}

function ruleOf({ facts }: Told['event'], { rules }: MailTexts): string | null {
  return facts['rule'] === 'allowsSelfApproval' ? rules.allowsSelfApproval : null
}

function personOf(person: unknown): string | null {
  return typeof person === 'string' ? onOneLine(person) : null
}

function isAlert({ event }: Told): boolean {
  return event.kind === 'alert.opened' || event.kind === 'alert.closed'
}

function alertName({ event }: Told, language: Locale): string {
  return alertTexts(event.facts, language)?.name ?? onOneLine(String(event.facts['alert'] ?? ''))
}

/** What was measured when it opened, in words. */
function measured({ event: { facts } }: Told, language: Locale): string | null {
  const { value, threshold } = facts
  if (typeof value !== 'number' || typeof threshold !== 'number') return null
  return alertTexts(facts, language)?.describe(value, threshold) ?? null
}

/** What to do while it is open. */
function actionOf({ event: { kind, facts } }: Told, language: Locale): string | null {
  return kind === 'alert.closed' ? null : (alertTexts(facts, language)?.action ?? null)
}

function alertTexts(facts: NotificationFacts, language: Locale): Catalogue['alerts'][AlertKind] | null {
  const kind = ALERT_KINDS.find((each) => each === facts['alert'])
  return kind === undefined ? null : textsIn(language).alerts[kind]
}

function errorText({ execution }: Told, { erased }: MailTexts): string {
  const error = execution?.error
  if (!error) return erased
  const text = visible(`${error.name}: ${error.message}`)
  return text.length > MAX_ERROR_LENGTH ? `${text.slice(0, MAX_ERROR_LENGTH)}…` : text
}

function shortName({ job, execution }: Told): string {
  const name = onOneLine(job?.name ?? job?.id ?? execution?.jobType ?? '')
  return `"${name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name}"`
}

function figure(value: unknown, language: Locale): string | null {
  return typeof value === 'number' ? value.toLocaleString(language, { maximumFractionDigits: 2 }) : null
}

/** In the time zone of the job, as people there write it, and in UTC. */
function instantIn(at: number, language: Locale, timeZone: string | null): string {
  const utc = new Date(at).toISOString()
  if (timeZone === null || timeZone === 'UTC') return utc
  const local = new Date(at).toLocaleString(language, { dateStyle: 'short', timeStyle: 'medium', timeZone })
  return `${local} (${timeZone}), ${utc}`
}

/** Where people find what an event is about; null where nobody has said where the service is. */
export function addressOf({ event, job, execution }: Told, publicUrl: string | null): string | null {
  if (publicUrl === null) return null
  if (event.kind.startsWith('approval_rules.')) return `${publicUrl}/jobs/settings`
  if (job === null) return execution === null ? `${publicUrl}/jobs` : `${publicUrl}/jobs/executions/${execution.id}`
  const query = execution === null ? '' : `?execution=${encodeURIComponent(execution.id)}`
  return `${publicUrl}/jobs/${encodeURIComponent(job.id)}${query}`
}

function linkTo(told: Told, publicUrl: string | null, label: string): MailSection['link'] {
  const url = addressOf(told, publicUrl)
  return url === null ? null : { label, url }
}

/** Without what cannot be seen, or would let a line end where none does. */
function visible(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu, ' ')
}

function onOneLine(text: string): string {
  return visible(text).replaceAll(/\s+/g, ' ').trim()
}

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
