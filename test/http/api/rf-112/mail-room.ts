import { expect } from 'vitest'
import { AT_ONCE } from '../../../../src/engine/node/loop.ts'
import { dispatcherOf } from '../../../../src/service/notifications/dispatcher.ts'
import { serviceRules } from '../../../../src/service/options.ts'
import { MailInbox, type ReceivedMail } from '../../service/mail-inbox.ts'
import type { Company, Stage } from './stage.ts'

/** Sends what is due through a real mail server, and has what arrived there. */
export class MailRoom implements AsyncDisposable {
  readonly #stage: Stage
  readonly #inbox: MailInbox

  private constructor(stage: Stage, inbox: MailInbox) {
    this.#stage = stage
    this.#inbox = inbox
  }

  static async open(stage: Stage): Promise<MailRoom> {
    return new MailRoom(stage, await MailInbox.open())
  }

  /** A company with an administrator who is told. */
  async told(language: 'pt-BR' | 'en' = 'pt-BR'): Promise<[Company, string]> {
    const company = this.#stage.company()
    const address = `admin-${company.id}@acme.example`
    const { status, text } = await company.admin.put('/api/jobs/settings', { adminAddresses: [address], language })
    expect(status, text).toBe(200)
    return [company, address]
  }

  /** What has arrived for an address once all that is due was sent, as a process with a mail server does by itself. */
  async mailsTo(address: string): Promise<ReceivedMail[]> {
    const mail = { host: '127.0.0.1', port: this.#inbox.port, from: 'jobs@pontual.example' }
    const rules = serviceRules({ mail, publicUrl: 'https://jobs.example.com' })
    // The stage has a duty of its own, without a mail server: what it is about to plan is then there to be sent.
    await this.#stage.test.settle()
    const dispatcher = dispatcherOf(await this.#stage.test.app.opened(), rules)
    while ((await dispatcher.step()) === AT_ONCE || (await dispatcher.rest()));
    return this.#inbox.mails.filter(({ to }) => to.includes(address))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#inbox.close()
  }
}
