import { ForbiddenError } from '../../src/access/errors.ts'
import { PERMISSIONS, type Permission } from '../../src/access/permission.ts'
import { PROFILES, type Profile, permissionsOf } from '../../src/access/profile.ts'
import { type Access, requireAccess } from '../../src/server/request/route.ts'
import { pathsOf, routes } from '../../src/server/routes/routes.ts'
import { code, joined, type Language, table, type Words } from './markdown.ts'

const MEANINGS: Readonly<Record<Permission, Words>> = {
  'jobs:read': {
    en: 'see jobs, when they are due, KPIs, alerts, nodes, calendars, settings, flags, notifications and API keys without their secrets; check cron expressions, simulate outages, follow events',
    pt: 'ver jobs, quando vencem, KPIs, alertas, nós, calendários, configurações, flags, notificações e chaves de API sem seus segredos; verificar expressões cron, simular paradas, acompanhar eventos',
  },
  'jobs:create': { en: 'create jobs', pt: 'criar jobs' },
  'jobs:update': {
    en: 'change jobs, enable and disable them, take them back to what the code declares',
    pt: 'alterar jobs, habilitá-los e desabilitá-los, voltá-los ao que o código declara',
  },
  'jobs:delete': { en: 'delete jobs', pt: 'excluir jobs' },
  'jobs:execute': {
    en: 'run jobs, retry and cancel executions, send signals to durable ones and restart them; with `jobs:approve`, decide about sensitive jobs',
    pt: 'executar jobs, repetir e cancelar execuções, enviar sinais às duráveis e reiniciá-las; com `jobs:approve`, decidir sobre jobs sensíveis',
  },
  'jobs:schedule': {
    en: 'create sensitive jobs and change what they would run, or when; beside `jobs:create` or `jobs:update`',
    pt: 'criar jobs sensíveis e alterar o que executariam, ou quando; além de `jobs:create` ou `jobs:update`',
  },
  'jobs:approve': {
    en: 'approve and reject sensitive jobs, with `jobs:execute`',
    pt: 'aprovar e rejeitar jobs sensíveis, com `jobs:execute`',
  },
  'jobs:pause': { en: 'pause and resume jobs', pt: 'pausar e retomar jobs' },
  'jobs:viewHistory': {
    en: 'see executions, what they were given and gave, and what went wrong; find jobs by what they ran',
    pt: 'ver execuções, o que receberam e deram, e o que deu errado; buscar jobs pelo que executaram',
  },
  'jobs:viewLogs': { en: 'read, download and follow logs', pt: 'ler, baixar e acompanhar logs' },
  'jobs:viewDashboard': {
    en: 'see the figures of the overview, also over time',
    pt: 'ver os números da visão geral, também ao longo do tempo',
  },
}

/** What a route needs beside what it says, by the name of the route; the service looks at what is asked for. */
const FURTHER: Readonly<Record<string, Words>> = {
  createJob: { en: 'for a sensitive job `jobs:schedule`', pt: 'para um job sensível `jobs:schedule`' },
  updateJob: {
    en: 'for what a sensitive job would run `jobs:schedule`',
    pt: 'para o que um job sensível executaria `jobs:schedule`',
  },
  resetJob: { en: 'for a sensitive job `jobs:schedule`', pt: 'para um job sensível `jobs:schedule`' },
  bulkJobs: {
    en: 'unless it is a dry run `jobs:pause`, `jobs:execute` or `jobs:delete`, for what is to be done',
    pt: 'a não ser em simulação `jobs:pause`, `jobs:execute` ou `jobs:delete`, conforme o que se pede',
  },
  listJobs: {
    en: 'to find jobs by what they ran `jobs:viewHistory`',
    pt: 'para buscar pelo que executaram `jobs:viewHistory`',
  },
  getExecution: { en: 'for its log `jobs:viewLogs`', pt: 'para o log `jobs:viewLogs`' },
}

const WORDS = {
  profiles: { en: 'Profiles', pt: 'Perfis' },
  routes: { en: 'Routes', pt: 'Rotas' },
  narrow: {
    en: 'Where only a profile is needed, it has to be whole: a key or a token that is narrower than its profile is refused.',
    pt: 'Onde só um perfil é exigido, ele precisa estar inteiro: uma chave ou um token mais estreito que seu perfil é recusado.',
  },
  header: { en: ['permission', 'allows to', ...PROFILES], pt: ['permissão', 'permite', ...PROFILES] },
  routeHeader: { en: ['route', 'needs', ...PROFILES], pt: ['rota', 'exige', ...PROFILES] },
  identified: { en: 'being known', pt: 'ser conhecido' },
}

export function permissionsPage(language: Language): string {
  const profiles = PERMISSIONS.map((permission) => [
    code(permission),
    MEANINGS[permission][language],
    ...PROFILES.map((profile) => mark(permissionsOf(profile).has(permission))),
  ])
  const rows = routes.map((route) => [
    code(`${route.method} ${pathsOf(route)[0]}`),
    [needOf(route.access, language), ...(FURTHER[route.name] ? [FURTHER[route.name]![language]] : [])].join('; '),
    ...PROFILES.map((profile) => mark(isAllowed(route.access, profile))),
  ])
  return joined([
    `## ${WORDS.profiles[language]}`,
    table(WORDS.header[language], profiles),
    `## ${WORDS.routes[language]}`,
    WORDS.narrow[language],
    table(WORDS.routeHeader[language], rows),
  ])
}

function mark(is: boolean): string {
  return is ? '✓' : ''
}

/** Whether whoever has a profile, and all of it, may use a route: as requests are decided about. */
function isAllowed(access: Access, profile: Profile): boolean {
  const permissions = permissionsOf(profile)
  try {
    requireAccess(access, { tenant: '', userId: '', ownerId: null, profile, permissions, source: 'jwt' })
    return true
  } catch (error) {
    if (error instanceof ForbiddenError) return false
    throw error
  }
}

export function needOf(access: Access, language: Language): string {
  if (access === 'identified') return WORDS.identified[language]
  const permissions = 'permissions' in access ? access.permissions.map(code) : []
  return [...permissions, ...(access.profile === undefined ? [] : [access.profile])].join(', ')
}
