import { render } from 'preact'
import './styles/tokens.css'
import './styles/base.css'
import './styles/frame.css'
import './styles/parts.css'
import { pagesBase } from './api/places.ts'
import { App } from './app.tsx'
import { fetchAhead } from './frame/loaded-page.tsx'
import { choose, language } from './language/language.ts'
import { findSession } from './session/sign.ts'

const FIND_AGAIN_MS = 3_000

choose(language.value, { isKept: false })
fetchAhead(location.pathname.slice(pagesBase.length) || '/')
const app = document.getElementById('app')
if (app) render(<App />, app)

/** A server that is away for a moment is asked again. */
function begin(): void {
  findSession().catch(() => setTimeout(begin, FIND_AGAIN_MS))
}
begin()
