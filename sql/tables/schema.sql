-- The migrations that this database contains. A new database contains all of them from the start.
create table pontual.schema_migrations (
  version integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
);

-- The functions that this database contains: the SHA-256 of the text, and the version of Pontual that applied it. An older version leaves them alone.
create table pontual.schema_functions (
  name text primary key,
  checksum text not null,
  version text not null,
  applied_at timestamptz not null default now()
);
