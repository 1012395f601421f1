import { createApi, serve } from '../../dist/server.js'
import { fillTables, openApp, SECRET } from '../_api-data.mjs'

/** One client would soon have asked too often. */
const MANY = 1_000_000_000

export function create() {
  let place
  return {
    async setup(given) {
      place = given
    },
    fill: (task) => fillTables(place.url, task),
    async serve() {
      const api = await createApi(openApp(place.url), {
        identity: { jwt: { secret: SECRET } },
        limits: { perAddress: MANY, perUser: MANY, perTenant: MANY },
        service: { jobsPerTenant: 1_000_000 },
      })
      const { port } = await serve(api, { port: 0 })
      return port
    },
  }
}
