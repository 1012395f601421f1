import type { ComponentType } from 'preact'
import type { Permission } from '../api/wire.ts'
import type { IconName } from '../parts/icon.tsx'
import { isAdmin, may } from '../session/session.ts'
import type { frameTexts } from './texts.ts'

type PageName = keyof (typeof frameTexts)['value']['pages']

export interface MenuPage {
  readonly name: PageName
  readonly path: string
  readonly icon: IconName
  readonly group: 'watch' | 'plan' | 'govern'
  readonly needs: Permission
  readonly isForAdmin?: boolean
}

/** What stands in the menu, in its order. */
export const MENU: readonly MenuPage[] = [
  { name: 'overview', path: '/', icon: 'overview', group: 'watch', needs: 'jobs:viewDashboard' },
  { name: 'jobs', path: '/list', icon: 'jobs', group: 'watch', needs: 'jobs:read' },
  { name: 'executions', path: '/executions', icon: 'executions', group: 'watch', needs: 'jobs:viewHistory' },
  { name: 'workers', path: '/workers', icon: 'workers', group: 'watch', needs: 'jobs:read' },
  { name: 'alerts', path: '/alerts', icon: 'alerts', group: 'watch', needs: 'jobs:read' },
  { name: 'kpis', path: '/kpis', icon: 'kpis', group: 'watch', needs: 'jobs:read' },
  { name: 'calendar', path: '/calendar', icon: 'calendar', group: 'plan', needs: 'jobs:read' },
  { name: 'calendars', path: '/calendars', icon: 'calendar', group: 'plan', needs: 'jobs:read' },
  { name: 'whatIf', path: '/what-if', icon: 'whatIf', group: 'plan', needs: 'jobs:read' },
  { name: 'approvals', path: '/approvals', icon: 'approvals', group: 'govern', needs: 'jobs:read' },
  { name: 'audit', path: '/audit', icon: 'audit', group: 'govern', needs: 'jobs:read', isForAdmin: true },
  { name: 'settings', path: '/settings', icon: 'settings', group: 'govern', needs: 'jobs:read' },
]

export function isVisible({ needs, isForAdmin = false }: Pick<MenuPage, 'needs' | 'isForAdmin'>): boolean {
  return may(needs) && (!isForAdmin || isAdmin())
}

export interface RoutedPage {
  readonly path: string | RegExp
  readonly needs: Permission
  readonly isForAdmin?: boolean
  readonly load: () => Promise<ComponentType>
}

const uuid = '[0-9a-f]{8}-[0-9a-f-]{27}'

/** Every page with its path below the dashboard; what it needs is fetched when it is first opened. */
export const PAGES: readonly RoutedPage[] = [
  {
    path: '/',
    needs: 'jobs:viewDashboard',
    load: async () => (await import('../pages/overview/overview.tsx')).Overview,
  },
  { path: '/list', needs: 'jobs:read', load: async () => (await import('../pages/jobs/job-list.tsx')).JobList },
  { path: '/new', needs: 'jobs:create', load: async () => (await import('../pages/job-form/new-job.tsx')).NewJob },
  {
    path: '/executions',
    needs: 'jobs:viewHistory',
    load: async () => (await import('../pages/executions/execution-list.tsx')).ExecutionList,
  },
  {
    path: new RegExp(`^/executions/(?<id>${uuid})/?$`, 'i'),
    needs: 'jobs:viewHistory',
    load: async () => (await import('../pages/execution/execution.tsx')).ExecutionPage,
  },
  { path: '/workers', needs: 'jobs:read', load: async () => (await import('../pages/workers/workers.tsx')).Workers },
  { path: '/alerts', needs: 'jobs:read', load: async () => (await import('../pages/alerts/alerts.tsx')).Alerts },
  { path: '/kpis', needs: 'jobs:read', load: async () => (await import('../pages/kpis/kpis.tsx')).Kpis },
  {
    path: '/calendar',
    needs: 'jobs:read',
    load: async () => (await import('../pages/calendar/calendar.tsx')).CalendarPage,
  },
  {
    path: '/calendars',
    needs: 'jobs:read',
    load: async () => (await import('../pages/calendars/calendars.tsx')).Calendars,
  },
  { path: '/what-if', needs: 'jobs:read', load: async () => (await import('../pages/what-if/what-if.tsx')).WhatIf },
  {
    path: '/approvals',
    needs: 'jobs:read',
    load: async () => (await import('../pages/approvals/approvals.tsx')).Approvals,
  },
  {
    path: '/audit',
    needs: 'jobs:read',
    isForAdmin: true,
    load: async () => (await import('../pages/audit/audit.tsx')).Audit,
  },
  {
    path: '/settings',
    needs: 'jobs:read',
    load: async () => (await import('../pages/settings/settings.tsx')).Settings,
  },
  {
    path: new RegExp(`^/(?<id>${uuid})/edit/?$`, 'i'),
    needs: 'jobs:update',
    load: async () => (await import('../pages/job-form/edit-job.tsx')).EditJob,
  },
  {
    path: new RegExp(`^/(?<id>${uuid})/?$`, 'i'),
    needs: 'jobs:read',
    load: async () => (await import('../pages/job/job.tsx')).JobPage,
  },
]
