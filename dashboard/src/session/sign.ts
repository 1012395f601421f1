import { ask } from '../api/ask.ts'
import { Problem } from '../api/problem.ts'
import { questions } from '../api/questions.ts'
import { choose, isKnown } from '../language/language.ts'
import { isEnded, type Session, session, whoIs } from './session.ts'

/** Finds out who uses the page. */
export async function findSession(): Promise<void> {
  try {
    began(await ask<Session>('session'))
  } catch (error) {
    if (error instanceof Problem && error.status !== 401) throw error
    session.value = null
  }
}

let isLooking = false

/** Another tab has signed out, or in as somebody else: this one learns who uses it now. What others were shown is not kept. */
export async function lookWhoIsThere(): Promise<void> {
  if (isLooking) return
  isLooking = true
  try {
    const found = await ask<Session>('session')
    if (whoIs(found) === whoIs(session.value)) return
    questions.clear()
    began(found)
  } catch (error) {
    // Where the server is away, the next question tells.
    if (error instanceof Problem && error.status === 401) left()
  } finally {
    isLooking = false
  }
}

/** Exchanges a key or a token for a session of this browser. */
export async function signIn(credential: string): Promise<void> {
  const shown = credential.trim()
  await ask<Session>('session', { method: 'POST', headers: { authorization: `Bearer ${shown}` } })
  const found = await ask<Session>('session')
  const isSame = whoIs(found) === whoIs(session.value)
  if (!isSame) questions.clear()
  began(found)
  if (isSame) void questions.invalidateQueries()
}

export async function signOut(): Promise<void> {
  await ask('session', { method: 'DELETE' })
  left()
}

/** Nobody is to see what was on the page. */
function left(): void {
  questions.clear()
  session.value = null
  isEnded.value = false
}

function began(found: Session): void {
  if (!isKnown()) choose(found.language, { isKept: false })
  session.value = found
  isEnded.value = false
}
