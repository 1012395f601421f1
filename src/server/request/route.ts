import type { z } from 'zod'
import { UnauthenticatedError } from '../../access/errors.ts'
import type { Permission } from '../../access/permission.ts'
import type { Principal } from '../../access/principal.ts'
import { requirePermission, requireProfile, requireWholeProfile } from '../../access/principal.ts'
import type { Profile } from '../../access/profile.ts'
import type { ServiceApi } from '../../service/api.ts'
import type { Locale } from '../../time/locale.ts'
import type { Sessions } from '../authentication/authenticate.ts'
import type { Streams } from '../response/streams.ts'
import type { TenantFeeds } from '../response/tenant-feed.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What a route answers with; `body` goes out as JSON. */
export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** What a route has at hand. */
export interface Around {
  readonly service: ServiceApi
  readonly sessions: Sessions | null
  readonly streams: Streams
  readonly feeds: TenantFeeds
  readonly prefix: string
  /** What describes this API to programs. */
  readonly description: () => unknown
}

/** A request that may use its route, with everything in it read and of the right shape. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> extends Around {
  readonly request: Request
  readonly principal: Principal
  /** What is answered in words is answered in this language. */
  readonly language: Locale
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** What `If-Match` says; undefined where any version will do. */
  readonly expectedVersion: number | undefined
  /** The id for what is made, where the request carries an idempotency key. */
  readonly resourceId: string | undefined
  /** Asks again who asks, for answers that last; false once he may not have it any more. */
  readonly isStillAllowed: () => Promise<boolean>
}

/** How an answer reads, for those who write clients. */
export interface AnswerShape {
  readonly description: string
  /** Absent: there is no body. */
  readonly schema?: z.ZodType | undefined
  /** Default: `application/json`. */
  readonly mediaTypes?: readonly string[] | undefined
  readonly headers?: readonly ('Location' | 'ETag' | 'Set-Cookie')[] | undefined
}

interface RouteFields {
  readonly method: Method
  /** Parameters as `:id`. */
  readonly path: string
  /** Other paths of the same route. */
  readonly aliases?: readonly string[] | undefined
  /** Unique; what clients call it. */
  readonly name: string
  readonly summary: string
  /** Without this a route does not compile. */
  readonly access: Access
  /** By status. */
  readonly answers: Readonly<Record<number, AnswerShape>>
  /** Statuses of problems beside those that every route has. */
  readonly problems?: readonly number[] | undefined
  /**
   * What an `Idempotency-Key` does. `kept`: the answer is kept for whoever sends it again. `refused`: the answer may not be kept. Default: nothing, since
   * to repeat the request changes nothing.
   */
  readonly idempotency?: 'kept' | 'refused' | undefined
  /** Whether `If-Match` is looked at. */
  readonly isVersioned?: boolean | undefined
}

export interface Route extends RouteFields {
  readonly params: z.ZodType | null
  readonly query: z.ZodType | null
  readonly body: z.ZodType | null
  readonly isBodyOptional: boolean
  handle(call: Call): Promise<Answer | Response>
}

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

interface RouteOptions<Params, Query, Body> extends RouteFields {
  readonly params?: Params
  /** Absent: takes no parameters. */
  readonly query?: Query
  /** Absent: takes no body. */
  readonly body?: Body
  /** Whether nothing may be sent in place of `{}`. */
  readonly isBodyOptional?: boolean
  handle(call: Call<OutputOf<Params>, OutputOf<Query>, OutputOf<Body>>): Promise<Answer | Response>
}

/** Declares a route, so that its handler knows the types of what is sent. */
export function route<
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(options: RouteOptions<Params, Query, Body>): Route {
  const { params, query, body, isBodyOptional = false, ...rest } = options
  return { ...rest, params: params ?? null, query: query ?? null, body: body ?? null, isBodyOptional }
}

/**
 * Who may use a route.
 *
 * - `identified`: whoever has shown who he is
 * - permissions: whoever has every one of them, and the profile where one is named
 * - a profile alone: whoever has it undiminished; a key or a token that is narrower than the profile administers nothing
 */
export type Access =
  | 'identified'
  | { readonly permissions: readonly [Permission, ...Permission[]]; readonly profile?: Profile }
  | { readonly profile: Profile }

/** Throws unless the route may be used by whoever asks. */
export function requireAccess(access: Access, principal: Principal | null): asserts principal is Principal {
  if (principal === null) {
    throw new UnauthenticatedError('unauthenticated', 'This needs a token, an API key or a session.', {
      case: 'missing',
    })
  }
  if (access === 'identified') return
  if (!('permissions' in access)) return requireWholeProfile(principal, access.profile)
  if (access.profile !== undefined) requireProfile(principal, access.profile)
  requirePermission(principal, ...access.permissions)
}
