/** Where the dashboard lives, in the paths that the server knows. */
export const DASHBOARD_ROOT = '/jobs'

/** The page on which people show who they are; everybody may see it. */
const SIGN_IN = 'sign-in'

/** No page lies deeper; what does is a mistake, or somebody's try. */
const DEEPEST = 8
const LONGEST_NEXT = 1_000
/** What a page of the dashboard is called. Nothing here could be taken for another host, a scheme or a way up. */
const PAGE_NAME = /^[\w-]+(\/[\w-]+)*$/

/** A path of the dashboard. */
export interface PagePath {
  /** What follows the root, as it was sent: empty for the overview. */
  readonly name: string
  /** The way from this path back to the root, relative, so that it holds wherever the server is mounted and whatever stands in front of it. */
  readonly base: string
  readonly isSignIn: boolean
  /** Whether there could be a page at all. */
  readonly isPossible: boolean
}

/** A path as one of the dashboard; null where it is none. Read as it was sent: what is encoded in it is no slash to a browser either. */
export function pagePathOf(pathname: string): PagePath | null {
  if (pathname === DASHBOARD_ROOT) return { name: '', base: './jobs/', isSignIn: false, isPossible: true }
  if (!pathname.startsWith(`${DASHBOARD_ROOT}/`)) return null
  const name = pathname.slice(DASHBOARD_ROOT.length + 1)
  const depth = name.split('/').length - 1
  const isPossible = depth <= DEEPEST
  const base = depth === 0 || !isPossible ? './' : '../'.repeat(depth)
  return { name, base, isSignIn: name.replace(/\/$/, '') === SIGN_IN, isPossible }
}

/** Where somebody is sent to show who he is, and from there back to the page he asked for: `next` is its path below the dashboard. */
export function signInLocation({ name, base }: PagePath, search: string): string {
  const next = `/${name}${search}`
  const isKept = (PAGE_NAME.test(name) || (name === '' && search !== '')) && next.length <= LONGEST_NEXT
  return `${base}${SIGN_IN}${isKept ? `?next=${encodeURIComponent(next)}` : ''}`
}
