/** A page by its path without .md, and what it is called in the sidebar. */
interface Page {
  readonly path: string
  readonly en: string
  readonly pt: string
}

/** Pages with one purpose, in the order in which they are read. */
export interface Group {
  readonly en: string
  readonly pt: string
  readonly pages: readonly Page[]
  /** Whether there is no translation, and none is missed. */
  readonly isEnglishOnly?: boolean
}

const page = (path: string, en: string, pt: string): Page => ({ path, en, pt })

/** Every page that the sidebar shows. */
export const GROUPS: readonly Group[] = [
  {
    en: 'Tutorials',
    pt: 'Tutoriais',
    pages: [
      page('tutorial/first-job', 'A first job', 'Um primeiro job'),
      page('tutorial/durable-order', 'An order that survives', 'Um pedido que sobrevive'),
    ],
  },
  {
    en: 'How to: your code',
    pt: 'Como fazer: seu código',
    pages: [
      page('how-to/jobs', 'Jobs and schedules', 'Jobs e agendas'),
      page('how-to/enqueue', 'Enqueue', 'Enfileirar'),
      page('how-to/nodes', 'Nodes', 'Nós'),
      page('how-to/logs-and-events', 'Logs and events', 'Logs e eventos'),
      page('how-to/limits', 'Limits', 'Limites'),
      page('how-to/handlers', 'Handlers', 'Handlers'),
      page('how-to/chains', 'Chains', 'Cadeias'),
      page('how-to/durable-jobs', 'Durable jobs', 'Jobs duráveis'),
      page('how-to/test', 'Test', 'Testar'),
      page('how-to/mount', 'Mount in a server', 'Montar em um servidor'),
    ],
  },
  {
    en: 'How to: operation',
    pt: 'Como fazer: operação',
    pages: [
      page('how-to/service', 'The service', 'O serviço'),
      page('how-to/dashboard', 'The dashboard', 'O painel'),
      page('how-to/search', 'Search', 'Buscar'),
      page('how-to/operate', 'Daily operation', 'Operação diária'),
      page('how-to/on-call', 'On call', 'De plantão'),
      page('how-to/scale', 'Scale', 'Escalar'),
      page('how-to/rotate-keys', 'Rotate keys', 'Trocar chaves'),
      page('how-to/postgres', 'PostgreSQL', 'PostgreSQL'),
    ],
  },
  {
    en: 'Move from',
    pt: 'Migrar de',
    pages: [
      page('how-to/migrate/bullmq', 'BullMQ', 'BullMQ'),
      page('how-to/migrate/pg-boss', 'pg-boss', 'pg-boss'),
      page('how-to/migrate/agenda', 'Agenda', 'Agenda'),
      page('how-to/migrate/quartz', 'Quartz', 'Quartz'),
      page('how-to/migrate/hangfire', 'Hangfire', 'Hangfire'),
    ],
  },
  {
    en: 'Reference',
    pt: 'Referência',
    pages: [
      page('reference/api', 'API', 'API'),
      page('reference/configuration', 'Configuration', 'Configuração'),
      page('reference/cli', 'Commands', 'Comandos'),
      page('reference/rest', 'REST', 'REST'),
      page('reference/metrics', 'Metrics', 'Métricas'),
      page('reference/permissions', 'Permissions', 'Permissões'),
      page('reference/error-codes', 'Error codes', 'Códigos de erro'),
      page('reference/schema', 'Tables', 'Tabelas'),
      page('reference/time', 'Time', 'Tempo'),
      page('reference/figures', 'Figures', 'Números'),
    ],
  },
  {
    en: 'Explanation',
    pt: 'Explicação',
    pages: [
      page('explanation/how-it-works', 'How it works', 'Como funciona'),
      page('explanation/guarantees', 'Guarantees', 'Garantias'),
      page('explanation/misfires', 'Misfires', 'Disparos perdidos'),
      page('explanation/time-zones', 'Time zones', 'Fusos horários'),
      page('explanation/durable-execution', 'Durable execution', 'Execução durável'),
      page('explanation/security', 'Security', 'Segurança'),
      page('explanation/architecture', 'Architecture', 'Arquitetura'),
    ],
  },
  {
    en: 'Proof',
    pt: 'Provas (em inglês)',
    isEnglishOnly: true,
    pages: [
      page('proof/acceptance', 'Acceptance', 'Aceitação'),
      page('proof/rf-112', 'RF-112', 'RF-112'),
      page('proof/durable-requirements', 'Durable execution', 'Execução durável'),
      page('proof/invariants', 'Invariants', 'Invariantes'),
      page('proof/figures', 'Figures', 'Números'),
      page('proof/simulation', 'Simulation', 'Simulação'),
      page('proof/torture', 'Torture', 'Tortura'),
      page('proof/model', 'Model', 'Modelo'),
      page('proof/security', 'Security', 'Segurança'),
      page('project/benchmarks', 'Benchmarks', 'Medições'),
    ],
  },
  {
    en: 'Contribute',
    pt: 'Contribuir (em inglês)',
    isEnglishOnly: true,
    pages: [
      page('project/contributing', 'Contributing', 'Contribuir'),
      page('contributing/tests', 'Tests', 'Testes'),
      page('contributing/documentation', 'Documentation', 'Documentação'),
    ],
  },
]

/** The languages in which pages are written. */
export type Language = 'en' | 'pt'

/** Where a page of the sidebar is found in a language. */
export function pathIn(language: Language, group: Group, path: string): string {
  return language === 'en' || group.isEnglishOnly ? path : `pt/${path}`
}
