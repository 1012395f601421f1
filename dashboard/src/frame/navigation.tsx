import { Link, useLocation } from 'wouter-preact'
import { Icon } from '../parts/icon.tsx'
import { isVisible, MENU, type MenuPage } from './pages.ts'
import { frameTexts } from './texts.ts'
import { WaitingApprovals } from './waiting-approvals.tsx'

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
