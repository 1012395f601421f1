import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { code, joined, type Language, prose, table } from './markdown.ts'

/** Queries a database with the current tables. */
export type Query = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

const TABLES = fileURLToPath(new URL('../../sql/tables', import.meta.url))

const WORDS = {
  header: { en: ['column', 'type', 'null', 'default'], pt: ['coluna', 'tipo', 'nulo', 'padrão'] },
  yes: { en: 'yes', pt: 'sim' },
  indexes: { en: 'Indexes', pt: 'Índices' },
  security: {
    en: 'Rows are kept apart by tenant (row security).',
    pt: 'As linhas são separadas por tenant (segurança por linha).',
  },
}

const COLUMNS = `
select c.relname as table, c.relrowsecurity as secured, a.attname as column,
  format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
  case when a.attidentity <> '' then 'identity' else pg_get_expr(d.adbin, d.adrelid) end as preset
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
where c.relnamespace = 'pontual'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
order by c.relname collate "C", a.attnum`

const INDEXES = `
select c.relname as table, pg_get_indexdef(i.indexrelid) as definition
from pg_index i
join pg_class c on c.oid = i.indrelid
where c.relnamespace = 'pontual'::regnamespace and not c.relispartition
order by c.relname collate "C", pg_get_indexdef(i.indexrelid) collate "C"`

export async function schemaPage(language: Language, query: Query): Promise<string> {
  const [columns, indexes] = [await query(COLUMNS), await query(INDEXES)]
  const comments = commentsOfTables()
  const names = [...new Set(columns.map((row) => String(row['table'])))]
  const sections = names.flatMap((name) => {
    const own = columns.filter((row) => row['table'] === name)
    const definitions = indexes
      .filter((row) => row['table'] === name)
      .map((row) => shortened(String(row['definition'])))
    return [
      `## ${name}`,
      ...(comments.has(name) ? [prose(comments.get(name)!)] : []),
      ...(own[0]?.['secured'] === true ? [WORDS.security[language]] : []),
      table(
        WORDS.header[language],
        own.map((row) => [
          code(String(row['column'])),
          String(row['type']),
          row['nullable'] === true ? WORDS.yes[language] : '',
          typeof row['preset'] === 'string' ? code(row['preset']) : '',
        ]),
      ),
      ...(definitions.length === 0 ? [] : [`${WORDS.indexes[language]}: ${definitions.map(code).join(', ')}.`]),
    ]
  })
  return joined(sections)
}

function shortened(definition: string): string {
  return definition.replace(/^CREATE (UNIQUE )?INDEX (\S+) ON .*? USING (\w+) /, (_all, unique, name, method) => {
    return `${name}: ${unique === undefined ? '' : 'unique '}${method === 'btree' ? '' : `${method} `}`
  })
}

/** The comment above each table in `sql/tables`. */
function commentsOfTables(): Map<string, string> {
  const comments = new Map<string, string>()
  for (const file of readdirSync(TABLES).sort()) {
    const sql = readFileSync(`${TABLES}/${file}`, 'utf8')
    for (const [, comment = '', name = ''] of sql.matchAll(/((?:^--.*\n)+)create table pontual\.(\w+)/gm)) {
      comments.set(name, comment.replaceAll(/^-- ?/gm, '').trim().replaceAll('\n', ' '))
    }
  }
  return comments
}
