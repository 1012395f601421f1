import type { Principal } from '../../access/principal.ts'

/** What the transport knows about a request that the request itself cannot tell. */
export interface Connection {
  /** The address of the peer; null where nobody knows, such as in a route handler. */
  readonly address: string | null
}

/**
 * Finds out who asks. null: the request carries no credentials. Throws an UnauthenticatedError for credentials that do not hold, and a ForbiddenError for
 * those that hold but may not be used like this, such as a cookie sent from another origin.
 */
export type Authenticate = (request: Request, connection: Connection) => Promise<Principal | null>

/** Sessions for browsers, behind `/api/session`. */
export interface Sessions {
  /** Whether whoever asks from this machine needs no credentials. */
  readonly isDev: boolean
  /** Exchanges the credentials that the principal has shown with this request for a session. */
  open(request: Request, principal: Principal): Promise<OpenedSession>
  /** Ends the session of the request, if there is one; gives the `Set-Cookie` that takes the cookie away. */
  close(request: Request): Promise<string>
}

export interface OpenedSession {
  readonly setCookie: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}
