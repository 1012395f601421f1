/**
 * The dashboard in a real browser, over real HTTP, on the real service with a store in memory.
 *
 *   const chromium = findChromium()
 *   describe.skipIf(chromium === null)('the list of jobs', () => {
 *     let stage: Stage
 *     beforeAll(async () => { stage = await openStage({ chromium }) })       // one service and one browser for the file
 *     afterAll(() => stage?.[Symbol.asyncDispose]())
 *
 *     it('is searched', async () => {
 *       await using visit = await stage.visit('list?q=tag:x')                // signed in as the Admin "ana" of "acme"
 *       await visit.page.getByRole('heading', { name: 'Jobs' }).waitFor()    // waits by itself: never sleep
 *       await expectAccessible(visit.page)                                   // axe, WCAG 2.2 AA
 *     })                                                                     // fails on whatever the page did wrong
 *   })
 *
 * - The dashboard is built first where its sources have changed; `npx vitest run --configLoader runner test/browser/list.test.ts` is all it takes.
 * - `visit(path, { as: 'Manager' })` signs in with another profile, `as: { profile, permissions, userId, tenant }` with less of one, `as: null` not at all.
 * - `visit(path, { language: 'pt-BR', theme: 'dark', width: 360, timeZone: 'Asia/Tokyo' })` is how the viewer's machine is set up.
 * - A visit ends with an error where the page wrote an error to the console, broke its policy, asked another host, or got an answer above 399.
 *   What a test means to happen it says: `visit.watch.expect(/^409 POST /)`.
 * - `stage.ask('POST', '/api/jobs', { body })` asks the API as Admin, to set things up; `stage.app` is the application. Job types: `openStage({ jobs })`,
 *   by default those of the demo, which take no time. Time is real.
 * - `openStage({ prefix: '/ops/tools' })` mounts it in an Express server; `isDev: true` is `pontual dev`.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SignJWT } from 'jose'
import { type Browser, type Page, chromium as playwright } from 'playwright-core'
import type { Permission } from '../../src/access/permission.ts'
import type { Profile } from '../../src/access/profile.ts'
import { demoJobs } from '../../src/cli/demo/demo-jobs.ts'
import { systemEnv } from '../../src/clock.ts'
import type { AnyJobType } from '../../src/job/type/job-type.ts'
import { type Pontual, pontual } from '../../src/pontual.ts'
import { type Api, createApi } from '../../src/server/create-api.ts'
import { serve } from '../../src/server/mount/serve.ts'
import { memory } from '../../src/store/memory/memory.ts'
import type { StoreSource } from '../../src/store/store.ts'
import { HOSTS } from '../http/mount/hosts.ts'
import { Watch } from './watched-context.ts'

const SECRET = 'a secret of the browser tests that nobody guesses'
const BUILDER = fileURLToPath(new URL('../../scripts/build-dashboard.mjs', import.meta.url))

/** Who looks at a page. */
export interface Viewer {
  /** Default: that of the stage. */
  readonly tenant?: string
  /** Default `ana`. */
  readonly userId?: string
  /** Default `Admin`. */
  readonly profile?: Profile
  /** Default: those of the profile. */
  readonly permissions?: readonly Permission[]
}

export interface VisitOptions {
  /** Default: the Admin "ana". null: nobody has signed in. */
  readonly as?: Profile | Viewer | null
  /** What the browser asks for. Default: English. */
  readonly language?: 'en' | 'pt-BR'
  readonly theme?: 'light' | 'dark'
  /** In CSS pixels. Default 1280 by 800. */
  readonly width?: number
  readonly height?: number
  /** Default `America/Sao_Paulo`. */
  readonly timeZone?: string
}

export interface StageOptions {
  /** What `findChromium` found. */
  readonly chromium: string | null
  readonly jobs?: readonly AnyJobType[]
  /** Default: a new one in memory. */
  readonly store?: StoreSource
  /** Whose the jobs in the code are, and who looks at them. Default `acme`. */
  readonly tenant?: string
  /** Below which path it is mounted, in an Express server. Default: it is served by itself. */
  readonly prefix?: string
  /** Whether everybody on this machine is Admin without signing in. */
  readonly isDev?: boolean
}

/** A page that somebody looks at; ending it fails where something went wrong in it. */
export interface Visit extends AsyncDisposable {
  readonly page: Page
  readonly watch: Watch
}

export interface Stage extends AsyncDisposable {
  /** Of the dashboard, with a slash at its end. */
  readonly url: string
  readonly app: Pontual
  readonly api: Api
  readonly browser: Browser
  /** A token, as somebody would have it from elsewhere. */
  token(viewer?: Viewer): Promise<string>
  /** Asks the API as Admin, or as somebody else; gives the body of the answer. */
  ask<Answer>(method: string, path: string, how?: { body?: unknown; as?: Viewer }): Promise<Answer>
  /** Opens a page in a browser that has nothing of earlier visits. `path` is below the dashboard: `list?q=x`. */
  visit(path?: string, options?: VisitOptions): Promise<Visit>
}

export async function openStage(options: StageOptions): Promise<Stage> {
  const { chromium, jobs, store = memory(), tenant = 'acme', prefix = '', isDev = false } = options
  if (chromium === null) throw new Error('There is no browser: skip the tests that need one.')
  execFileSync(process.execPath, [BUILDER], { stdio: 'pipe' })
  const app = pontual({
    application: 'browser tests',
    tenant,
    store,
    jobs: jobs ?? demoJobs({ env: systemEnv, stepMs: 0 }, 'en'),
    logger: 'silent',
  })
  const identity = isDev ? { dev: { tenant } } : { jwt: { secret: SECRET } }
  const api = await createApi(app, { identity, prefix, dashboard: true })
  await app.start()
  const served = prefix === '' ? await serve(api, { port: 0, graceMs: 100 }) : await HOSTS['Express']!(api, prefix)
  const browser = await playwright.launch({ executablePath: chromium, args: ['--no-sandbox'] })
  return new RealStage({ app, api, browser, tenant, origin: served.url, prefix, close: () => served.close() })
}

interface Parts {
  readonly app: Pontual
  readonly api: Api
  readonly browser: Browser
  readonly tenant: string
  readonly origin: string
  readonly prefix: string
  close(): Promise<void>
}

class RealStage implements Stage {
  readonly url: string
  readonly app: Pontual
  readonly api: Api
  readonly browser: Browser
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.app = parts.app
    this.api = parts.api
    this.browser = parts.browser
    this.url = `${parts.origin}${parts.prefix}/jobs/`
    this.#parts = parts
  }

  token({ tenant = this.#parts.tenant, userId = 'ana', profile = 'Admin', permissions }: Viewer = {}): Promise<string> {
    const claims = { sub: userId, clienteId: tenant, profile, ...(permissions && { permissions }) }
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(SECRET))
  }

  async ask<Answer>(
    method: string,
    path: string,
    { body, as = {} }: { body?: unknown; as?: Viewer } = {},
  ): Promise<Answer> {
    const { origin, prefix } = this.#parts
    const answer = await fetch(`${origin}${prefix}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await this.token(as)}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }

  async visit(path = '', options: VisitOptions = {}): Promise<Visit> {
    const { as = {}, language = 'en', theme = 'light', width = 1_280, height = 800 } = options
    const context = await this.browser.newContext({
      locale: language === 'en' ? 'en-US' : language,
      colorScheme: theme,
      reducedMotion: 'reduce',
      timezoneId: options.timeZone ?? 'America/Sao_Paulo',
      viewport: { width, height },
    })
    const watch = new Watch(this.#parts.origin)
    await watch.begin(context)
    if (as !== null && !this.api.isDev) {
      await context.addCookies([await this.#session(typeof as === 'string' ? { profile: as } : as)])
    }
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(new URL(path, this.url).href)
    return {
      page,
      watch,
      async [Symbol.asyncDispose]() {
        await context.close()
        if (watch.problems.length > 0) throw new Error(`The page went wrong:\n${watch.problems.join('\n')}`)
      },
    }
  }

  /** As a page opens one, so that what follows is the same. */
  async #session(
    viewer: Viewer,
  ): Promise<{ name: string; value: string; url: string; secure: boolean; httpOnly: boolean }> {
    const { origin, prefix } = this.#parts
    const headers = { authorization: `Bearer ${await this.token(viewer)}` }
    const answer = await fetch(`${origin}${prefix}/api/session`, { method: 'POST', headers })
    const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? []
    if (!answer.ok) throw new Error(`No session: ${answer.status} ${await answer.text()}`)
    // To the browser this machine is as safe as https; to what sets cookies from outside it is not.
    return { name, value, url: origin.replace('http:', 'https:'), secure: true, httpOnly: true }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close()
    await this.#parts.close()
    this.api.close()
    await this.app.stop()
  }
}
