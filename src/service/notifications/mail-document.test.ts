import { describe, expect, it } from 'vitest'
import { NOTIFICATION_KINDS, type NotificationEvent } from '../../store/notifications.ts'
import type { Locale } from '../../time/locale.ts'
import type { ErrorClass } from './error-class.ts'
import { mailDocument, mailHtml, mailText } from './mail-document.ts'
import type { Told } from './told.ts'

const AT = Date.UTC(2026, 2, 11, 12)
const LANGUAGES: readonly Locale[] = ['pt-BR', 'en']

function told(
  change: { event?: Partial<NotificationEvent>; name?: string | null; message?: string; errorClass?: ErrorClass } = {},
): Told {
  const { event, name = 'Importar faturas', message = 'No such month.', errorClass = 'unknown' } = change
  return {
    event: { id: 'x1', tenant: 'acme', kind: 'job.failed', at: AT, facts: {}, ...event },
    job: { id: 'j1', name, timeZone: 'UTC' },
    execution: {
      id: 'x1',
      jobType: 'import',
      status: 'FAILED',
      attempts: 4,
      error: { name: 'TypeError', message },
      errorClass,
    },
  }
}

const document = (each: Told, language: Locale = 'en', publicUrl: string | null = null) =>
  mailDocument({ told: [each], count: 1, language, publicUrl })

it('a failure reads so', () => {
  expect(mailText(document(told(), 'pt-BR', 'https://jobs.example.com'))).toBe(
    [
      'Uma execução falhou definitivamente: não haverá nova tentativa automática.',
      '',
      'Job: Importar faturas',
      'Momento da falha: 2026-03-11T12:00:00.000Z',
      'Erro: TypeError: No such month.',
      'Ação recomendada: Consulte os logs da execução, corrija a causa e repita a execução.',
      'Tentativas: 4',
      'Execução: x1',
      'Abrir no Pontual: https://jobs.example.com/jobs/j1?execution=x1',
      '',
      '-- ',
      'Você recebe esta mensagem porque seu endereço está nas configurações de notificação deste cliente.',
      '',
    ].join('\n'),
  )
})

it('an execution without a job has the name of its job type, and a link of its own', () => {
  const { subject, sections } = document({ ...told(), job: null }, 'en', 'https://jobs.example.com')
  expect(subject).toBe('[Pontual] Job "import" failed')
  expect(sections[0]?.rows[0]).toEqual(['Job type', 'import'])
  expect(sections[0]?.link?.url).toBe('https://jobs.example.com/jobs/executions/x1')
})

it('a job that is gone, and an error that was erased, are told as such', () => {
  const gone = told({ name: null })
  const text = mailText(document({ ...gone, execution: { ...gone.execution!, error: null } }))
  expect(text).toContain('Job: j1 (that is gone)')
  expect(text).toContain('Error: erased')
})

describe.each(LANGUAGES)('in %s', (language) => {
  it.each(NOTIFICATION_KINDS)('%s has a subject and an introduction', (kind) => {
    const { subject, intro, sections } = document(
      told({ event: { kind, facts: { alert: 'queueCongested' } } }),
      language,
    )
    expect(subject).toMatch(/^\[Pontual\] .{5,}$/)
    expect(intro).toMatch(/.{10,}\.$/)
    expect(sections).toHaveLength(1)
  })

  const classes: ErrorClass[] = [
    'timeout',
    'network',
    'permission',
    'validation',
    'crash',
    'lost',
    'undecryptable',
    'unknown',
  ]
  it('each kind of error has its own advice', () => {
    const texts = classes.map((errorClass) => mailText(document(told({ errorClass }), language)))
    expect(new Set(texts).size).toBe(classes.length)
  })
})

describe('S44: what a job or an error says', () => {
  const HOSTILE = 'a\r\nBcc: x@evil.example\n\n<img src=x onerror="alert(1)">\u202e{{constructor}} & \u0000'

  it('makes no second line of a subject', () => {
    const { subject } = document(told({ name: HOSTILE }))
    expect(subject).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(subject).toContain('a Bcc: x@evil.example')
  })

  it('is escaped in HTML, and no template', () => {
    const html = mailHtml(document(told({ name: HOSTILE, message: HOSTILE })))
    expect(html).not.toMatch(/<img|onerror="|\p{Cc}|\p{Cf}/u)
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;')
    expect(html).toContain('{{constructor}} &amp;')
  })

  it('is cut where it is endless', () => {
    const { subject } = document(told({ name: 'x'.repeat(10_000) }))
    expect(subject.length).toBeLessThan(200)
    expect(mailText(document(told({ message: 'x'.repeat(10_000) }))).length).toBeLessThan(3_000)
  })
})

it('a digest counts all and lists some', () => {
  const many = Array.from({ length: 3 }, (_, n) => told({ name: `job ${n}` }))
  const digest = mailDocument({ told: many, count: 130, language: 'en', publicUrl: null })
  expect(digest.subject).toBe('[Pontual] 130 notifications')
  expect(mailText(digest)).toContain('There were 130; the first 3 are listed.')
  expect(mailText(digest)).toContain('Job "job 2" failed\nJob: job 2')
  expect(mailHtml(digest)).toContain('<h2 style="font-size:16px">Job &quot;job 1&quot; failed</h2>')
})
