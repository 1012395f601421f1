/** How to reach the server: what `pg` takes, as far as it concerns a connection. What is left out comes from PGHOST, PGUSER and so on. */
export interface PgConnection {
  readonly connectionString?: string | undefined
  /** A name, an address, or the directory of a unix socket; several, separated by commas, are tried until one accepts writes. */
  readonly host?: string | undefined
  /** One for all hosts, or a text with one for each, separated by commas. */
  readonly port?: number | string | undefined
  readonly database?: string | undefined
  readonly user?: string | undefined
  /** A function is asked at each new connection, such as for a token that expires. */
  readonly password?: string | (() => string | Promise<string>) | undefined
  /** What `tls.connect` takes, or true. */
  readonly ssl?: boolean | object | undefined
  /** Default: `pontual`. */
  readonly application_name?: string | undefined
  /** How long a connection may take to be made. Default: 5 seconds. */
  readonly connectionTimeoutMillis?: number | undefined
  /** Anything else that `pg` knows. */
  readonly [option: string]: unknown
}
