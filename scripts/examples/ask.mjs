import assert from 'node:assert/strict'

/** Asks an API, and fails where it answers with another status than is expected. Resolves to what it answers. */
export async function ask(url, { headers, body, method = body ? 'POST' : 'GET', status = 200 } = {}) {
  const sent = body ? { body: JSON.stringify(body) } : {}
  const answer = await fetch(url, { method, headers: { 'content-type': 'application/json', ...headers }, ...sent })
  const text = await answer.text()
  assert.equal(answer.status, status, `${method} ${url} answers ${answer.status}: ${text}`)
  return answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
}

export function bearer(token) {
  return { authorization: `Bearer ${token}` }
}

/** Asks until the answer is as expected; the program that is asked is ended where that takes too long. */
export async function askUntil(isThere, ...question) {
  for (;;) {
    const answer = await ask(...question)
    if (isThere(answer)) return answer
  }
}
