/** Nothing runs but what we serve, nothing is asked but of us, and nobody shows us within a page of his own. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** What every answer of the dashboard carries. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** What a page carries beside that: whoever has signed out finds nothing of it by going back. */
export const HTML_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
}
