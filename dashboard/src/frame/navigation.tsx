import { Link, useLocation } from 'wouter-preact'
import { useAnswer } from '../api/questions.ts'
import type { JobView, Page } from '../api/wire.ts'
import { inBoth } from '../language/language.ts'
import { Icon } from '../parts/icon.tsx'
import { may } from '../session/session.ts'
import { isVisible, MENU, type MenuPage } from './pages.ts'
import { frameTexts } from './texts.ts'

const waitingTexts = inBoth({
  'pt-BR': { waiting: (count: string) => `${count} aguardando` },
  en: { waiting: (count: string) => `${count} waiting` },
})

/** Counted so far, and no further. */
const MOST = 9

/** How many jobs wait for a yes, to those who may give it. */
function WaitingApprovals() {
  const { data } = useAnswer<Page<JobView>>(`jobs?status=PENDING_APPROVAL&limit=${MOST}`, {
    isAsked: may('jobs:approve'),
  })
  if (!data || data.items.length === 0) return null
  const count = `${data.items.length}${data.nextCursor === null ? '' : '+'}`
  return (
    <>
      <span class="menu-count" aria-hidden="true">
        {count}
      </span>
      <span class="visually-hidden">{waitingTexts.value.waiting(count)}</span>
    </>
  )
}

const GROUPS = ['watch', 'plan', 'govern'] as const

/** The menu: what whoever looks may see. */
export function Navigation({ onGo }: { readonly onGo?: () => void }) {
  const texts = frameTexts.value
  return (
    <nav aria-label={texts.navigation} class="navigation">
      {GROUPS.map((group) => {
        const pages = MENU.filter((page) => page.group === group && isVisible(page))
        if (pages.length === 0) return null
        return (
          <div key={group}>
            <p class="navigation-group" id={`group-${group}`}>
              {texts.groups[group]}
            </p>
            <ul aria-labelledby={`group-${group}`}>
              {pages.map((page) => (
                <li key={page.name}>
                  <MenuLink page={page} onGo={onGo} />
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}

function MenuLink({ page, onGo }: { readonly page: MenuPage; readonly onGo: (() => void) | undefined }) {
  const [location] = useLocation()
  const isHere = page.path === '/' ? location === '/' : location === page.path || location.startsWith(`${page.path}/`)
  return (
    <Link href={page.path} aria-current={isHere ? 'page' : undefined} onClick={() => onGo?.()}>
      <Icon name={page.icon} />
      {frameTexts.value.pages[page.name]}
      {page.name === 'approvals' && <WaitingApprovals />}
    </Link>
  )
}
