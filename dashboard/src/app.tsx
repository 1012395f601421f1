import { QueryClientProvider } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import { Redirect, Route, Router, Switch, useLocation, useSearchParams } from 'wouter-preact'
import { pagesBase } from './api/places.ts'
import { questions } from './api/questions.ts'
import { Layout } from './frame/layout.tsx'
import { aroundNav } from './frame/leaving.ts'
import { LoadedPage } from './frame/loaded-page.tsx'
import { PAGES } from './frame/pages.ts'
import { frameTexts } from './frame/texts.ts'
import { followLive } from './live/live.ts'
import { Empty, Skeleton } from './parts/answer.tsx'
import { ButtonLink } from './parts/button.tsx'
import { isEnded, may, session, whoIs } from './session/session.ts'
import { SignIn } from './session/sign-in.tsx'
import { SignInAgain } from './session/sign-in-again.tsx'

export function App() {
  return (
    <QueryClientProvider client={questions}>
      <Router base={pagesBase} aroundNav={aroundNav}>
        <Entrance />
      </Router>
    </QueryClientProvider>
  )
}

/** Whoever has not signed in does so first, and then goes where he was headed. */
function Entrance() {
  const [location] = useLocation()
  const [parameters] = useSearchParams()
  const who = session.value
  if (who === undefined) return <Skeleton lines={4} />
  // Who has come by the page to sign in is not shown what the server says there is not; he may be somebody else elsewhere.
  if (who === null || !who.hasDashboard) return <SignIn />
  if (location === '/sign-in') return <Redirect to={ownPath(parameters.get('next'))} replace />
  return (
    <>
      <div class={isEnded.value ? 'kept' : undefined}>
        <SignedIn key={whoIs(who)} />
      </div>
      {isEnded.value && <SignInAgain />}
    </>
  )
}

/** Only a path of ours: nobody is sent elsewhere by a link to the sign-in page. */
function ownPath(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : '/'
}

function SignedIn() {
  const isOver = isEnded.value
  useEffect(() => (isOver ? undefined : followLive()), [isOver])
  return (
    <Layout>
      <Switch>
        {/* Whoever may not see the overview lands on the jobs. */}
        {!may('jobs:viewDashboard') && (
          <Route path="/">
            <Redirect to="/list" replace />
          </Route>
        )}
        {PAGES.map((page) => (
          <Route key={String(page.path)} path={page.path}>
            <LoadedPage page={page} key={String(page.path)} />
          </Route>
        ))}
        <Route>
          <Empty icon="search" title={frameTexts.value.notFound}>
            <ButtonLink href="/">{frameTexts.value.home}</ButtonLink>
          </Empty>
        </Route>
      </Switch>
    </Layout>
  )
}
