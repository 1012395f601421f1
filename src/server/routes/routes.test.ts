import { describe, expect, it } from 'vitest'
import { route } from '../request/route.ts'
import { pathsOf, routes } from './routes.ts'

/** Every route of the contract, with its permission; an alias after a bar. */
const CONTRACT = `
GET    /api/jobs|/api/jobs/                              jobs:read
POST   /api/jobs|/api/jobs/                              jobs:create
GET    /api/jobs/:id                                     jobs:read
PUT    /api/jobs/:id                                     jobs:update
DELETE /api/jobs/:id                                     jobs:delete
POST   /api/jobs/:id/executar|/api/jobs/:id/execute      jobs:execute
POST   /api/jobs/:id/pausar|/api/jobs/:id/pause          jobs:pause
POST   /api/jobs/:id/retomar|/api/jobs/:id/resume        jobs:pause
POST   /api/jobs/:id/cancelar|/api/jobs/:id/cancel       jobs:execute
GET    /api/jobs/:id/historico|/api/jobs/:id/history     jobs:viewHistory
GET    /api/jobs/:id/occurrences                         jobs:viewHistory
GET    /api/jobs/:id/logs                                jobs:viewLogs
POST   /api/jobs/:id/retry                               jobs:execute
GET    /api/jobs/dashboard                               jobs:viewDashboard
GET    /api/jobs/kpis                                    jobs:read
GET    /api/jobs/series                                  jobs:viewDashboard
GET    /api/jobs/failures                                jobs:viewHistory
GET    /api/jobs/upcoming                                jobs:read
GET    /api/jobs/agenda                                  jobs:read
GET    /api/jobs/workers                                 jobs:read
POST   /api/jobs/enqueue                                 jobs:execute
POST   /api/jobs/bulk                                    jobs:read
GET    /api/jobs/:id/nextExecution                       jobs:read
GET    /api/jobs/:id/approval                            jobs:read
GET    /api/jobs/types                                   jobs:read
POST   /api/jobs/:id/approve|/api/jobs/:id/aprovar       jobs:approve+jobs:execute
POST   /api/jobs/:id/reject|/api/jobs/:id/rejeitar       jobs:approve+jobs:execute
POST   /api/jobs/:id/reset                               jobs:update
POST   /api/jobs/:id/reveal                              Admin
POST   /api/jobs/:id/validate-cron                       jobs:read
GET    /api/jobs/audit-log                               jobs:read+Admin
GET    /api/jobs/audit-log/export                        jobs:read+Admin
GET    /api/jobs/audit-log/verify                        jobs:read+Admin
GET    /api/jobs/executions                              jobs:viewHistory
GET    /api/jobs/executions/:id                          jobs:viewHistory
GET    /api/jobs/executions/:id/activities               jobs:viewHistory
GET    /api/jobs/executions/:id/chain                    jobs:viewHistory
POST   /api/jobs/executions/:id/cancel|/api/jobs/executions/:id/cancelar jobs:execute
POST   /api/jobs/executions/:id/erase                    Admin
POST   /api/jobs/executions/:id/signal                   jobs:execute
POST   /api/jobs/executions/:id/restart                  jobs:execute
GET    /api/jobs/executions/:id/logs                     jobs:viewLogs
GET    /api/jobs/executions/:id/logs/download            jobs:viewLogs
GET    /api/jobs/executions/:id/logs/stream              jobs:viewLogs
GET    /api/jobs/events                                  jobs:read
GET    /api/jobs/alerts                                  jobs:read
PUT    /api/jobs/alerts/:kind                            Admin
GET    /api/jobs/calendars                               jobs:read
PUT    /api/jobs/calendars/:name                         Admin
POST   /api/jobs/calendars/:name/preview                 jobs:read
DELETE /api/jobs/calendars/:name                         Admin
GET    /api/jobs/flags                                   jobs:read
PUT    /api/jobs/flags/:key                              Admin
GET    /api/jobs/settings                                jobs:read
PUT    /api/jobs/settings                                Admin
POST   /api/jobs/settings/approve                        Admin
POST   /api/jobs/settings/reject                         Admin
GET    /api/jobs/notifications                           jobs:read
POST   /api/jobs/notifications/test                      Admin
GET    /api/jobs/api-keys                                jobs:read
POST   /api/jobs/api-keys                                Admin
DELETE /api/jobs/api-keys/:id                            Admin
GET    /api/jobs/manifest                                jobs:read
POST   /api/jobs/simulate                                jobs:read
GET    /api/jobs/openapi.json                            jobs:read
GET    /api/session                                      identified
POST   /api/session                                      identified
DELETE /api/session                                      identified
`

const lines = CONTRACT.trim()
  .split('\n')
  .map((line) => line.trim().replaceAll(/ +/g, ' '))

describe('the table of routes', () => {
  it('is the contract', () => {
    const table = routes.map((each) => {
      const { access } = each
      const needs =
        typeof access === 'string'
          ? [access]
          : [...('permissions' in access ? access.permissions : []), ...(access.profile ? [access.profile] : [])]
      return `${each.method} ${pathsOf(each).join('|')} ${needs.join('+')}`
    })
    expect(table.toSorted()).toEqual(lines.toSorted())
  })

  it('has a name of its own for each route', () => {
    expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length)
  })

  it('has no route that needs nothing, since one without access does not compile', () => {
    // @ts-expect-error: access is missing
    route({
      method: 'GET',
      path: '/api/jobs/secrets',
      name: 'secrets',
      summary: 'Forgotten',
      answers: {},
      handle: () => Promise.resolve({ status: 200 }),
    })
    route({
      method: 'GET',
      path: '/api/jobs/secrets',
      name: 'secrets',
      summary: 'No permission at all',
      // @ts-expect-error: a list without a permission
      access: { permissions: [] },
      answers: {},
      handle: () => Promise.resolve({ status: 200 }),
    })
    expect(routes.every(({ access }) => access !== undefined)).toBe(true)
  })
})
