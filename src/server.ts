/** `pontual/server`: the service over HTTP, by itself or within a server of your own. */
export { ForbiddenError, UnauthenticatedError } from './access/errors.ts'
export type { Flag } from './access/flag.ts'
export type { Permission } from './access/permission.ts'
export type { Principal } from './access/principal.ts'
export type { Profile } from './access/profile.ts'
export type { App } from './server/app-options.ts'
export type { Connection } from './server/authentication/authenticate.ts'
export type {
  ClaimName,
  ClaimNames,
  DevOptions,
  IdentityOptions,
  JwtOptions,
  OwnIdentity,
  SessionOptions,
} from './server/authentication/identity-options.ts'
export { type Api, type ApiOptions, createApi } from './server/create-api.ts'
export { type Config, defineConfig, type ServerConfig } from './server/define-config.ts'
export type { LimitOptions } from './server/limits/request-limits.ts'
export { type ExpressHandler, expressHandler } from './server/mount/express.ts'
export { type FastifyPlugin, fastifyPlugin } from './server/mount/fastify.ts'
export { type NodeMountOptions, nodeListener } from './server/mount/node-listener.ts'
export { type Served, type ServeOptions, serve } from './server/mount/serve.ts'
export type { WebMountOptions } from './server/mount/web.ts'
export { type HonoMiddleware, honoMiddleware, type NextMountOptions, nextHandlers } from './server/mount/web.ts'
export type { MetricsOptions } from './server/operations/metrics-options.ts'
export type { DashboardOption } from './server/pages/dashboard-files.ts'
export type { CorsOptions } from './server/request/cors.ts'
export type { ServiceApi } from './service/api.ts'
export type { FlagClient, FlagContext, FlagOptions } from './service/flags/flag-options.ts'
export { type BuiltInOptions, builtInTypes } from './service/job-types/built-in.ts'
export type { CommandRunOptions } from './service/job-types/command-run.ts'
export type { HttpRequestOptions } from './service/job-types/http-request.ts'
export type { MailOptions } from './service/notifications/mail-options.ts'
export type { ServiceOptions } from './service/options.ts'
export type { OutboundOptions } from './service/outbound/target.ts'
