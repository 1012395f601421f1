/** Where the dashboard lies, as the server said in `<base>`: with a slash at its end. */
const dashboard = new URL('.', document.baseURI)
const api = new URL('../api/', dashboard)

/** What stands before every page's path. */
export const pagesBase = dashboard.pathname.replace(/\/$/, '')

/** The address of something of the API, from its path below `/api`: `jobs/workers`. */
export function apiAddress(path: string): string {
  return new URL(path, api).href
}
