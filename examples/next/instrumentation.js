/** The server is a node: jobs run as soon as it is there, not at the first request. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { jobs } = await import('./lib/jobs.js')
  const { app, api } = jobs()
  await api // before the start: what happens from here on is in the audit log
  await app.start()
}
