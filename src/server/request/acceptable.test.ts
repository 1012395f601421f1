import { describe, expect, it } from 'vitest'
import { routes } from '../routes/routes.ts'
import type { Route } from './route.ts'
import { requireAcceptable } from './serve-route.ts'

const named = (name: string): Route => {
  const route = routes.find((each) => each.name === name)
  if (!route) throw new Error(name)
  return route
}

describe('an answer', () => {
  it.each<[string, string]>([
    ['listJobs', ''],
    ['listJobs', '*/*'],
    ['listJobs', 'application/json'],
    ['listJobs', 'APPLICATION/JSON'],
    ['listJobs', 'application/*;q=0.5'],
    ['listJobs', 'text/html, application/xhtml+xml, */*;q=0.8'],
    ['listJobs', 'application/xml;q=0, */*'],
    ['followEvents', 'text/event-stream'],
  ])('of %s is taken as %j', (route, accept) => {
    expect(() => requireAcceptable(named(route), new Headers({ accept }))).not.toThrow()
  })

  it.each<[string, string]>([
    ['listJobs', 'text/xml'],
    ['listJobs', 'text/*'],
    ['listJobs', 'application/json;q=0, */*'],
    ['listJobs', 'text/event-stream'],
    ['followEvents', 'application/json'],
  ])('of %s is not taken as %j', (route, accept) => {
    expect(() => requireAcceptable(named(route), new Headers({ accept }))).toThrow('This is answered as')
  })
})
