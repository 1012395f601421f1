const LOOPBACK_ADDRESS = /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i
const LOOPBACK_HOST = /^(localhost|[a-z0-9-]+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?$/i

/** Whether an address of a socket is this machine's own. */
export function isLoopbackAddress(address: string | null): boolean {
  return address !== null && LOOPBACK_ADDRESS.test(address)
}

/** Whether a Host header names this machine: a name that an attacker points at it is another one. */
export function isLoopbackHost(host: string | null): boolean {
  return host !== null && LOOPBACK_HOST.test(host)
}
