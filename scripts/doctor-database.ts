import fs from 'node:fs'
import path from 'node:path'
import { pool } from '#lib/core/db/db.ts'
import { MIGRATIONS } from '#lib/core/db/migrate.ts'
import { failedJobs } from '#lib/core/jobs/jobs.ts'
import type { Finding } from './doctor-outside.ts'

const OLDEST = 15

/** Looks at the database: version, role, wall between schools, schema, jobs. Throws when it cannot be reached. */
export async function checkDatabase(): Promise<Finding[]> {
  const findings = [await version(), await role(), await wall(), await schema()]
  findings.push(await jobs())
  return findings
}

async function version(): Promise<Finding> {
  const { rows } = await pool.query("select current_setting('server_version_num')::int as number")
  const major = Math.floor(rows[0].number / 10_000)
  if (major >= OLDEST) return ['ok', 'База даних · Database', `PostgreSQL ${major}`]
  return [
    'fail',
    'База даних · Database',
    `PostgreSQL ${major}: потрібна ${OLDEST} або новіша · needs ${OLDEST} or newer`,
  ]
}

async function role(): Promise<Finding> {
  const name = 'Роль · Role'
  const { rows } = await pool.query(
    'select rolname, rolsuper or rolbypassrls as above from pg_roles where rolname = current_user',
  )
  const { rolname, above } = rows[0]
  if (!above) return ['ok', name, `${rolname}: не суперкористувач, RLS діє · bound by row-level security`]
  return [
    'fail',
    name,
    `${rolname} обходить стіну між школами · is above the wall: ALTER ROLE ${rolname} NOSUPERUSER NOBYPASSRLS`,
  ]
}

// A nullable tenant_id only remembers a school (a session's, say); a required one says whose the row is.
async function wall(): Promise<Finding> {
  const { rows } = await pool.query<{ name: string; walled: boolean }>(`
    select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as walled
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname = 'public' and c.relkind in ('r', 'p') and a.attname = 'tenant_id' and a.attnotnull
    order by 1`)
  const open = rows.filter(({ walled }) => !walled).map(({ name }) => name)
  const name = 'Стіна між школами · Wall'
  if (open.length === 0) return ['ok', name, `${rows.length} таблиць · tables`]
  return [
    'fail',
    name,
    `без FORCE ROW LEVEL SECURITY: ${open.join(', ')}; npm start накладе міграції · applies migrations`,
  ]
}

async function schema(): Promise<Finding> {
  const name = 'Міграції · Migrations'
  const journal: { entries: unknown[] } = JSON.parse(
    fs.readFileSync(path.join(MIGRATIONS, 'meta/_journal.json'), 'utf8'),
  )
  const { rows } = await pool.query("select to_regclass('drizzle.__drizzle_migrations') is not null as begun")
  const count = 'select count(*)::int as applied from drizzle.__drizzle_migrations'
  const applied = rows[0].begun ? (await pool.query(count)).rows[0].applied : 0
  const pending = journal.entries.length - applied
  if (pending === 0) return ['ok', name, `${applied}`]
  if (pending > 0) return ['warn', name, `чекають · pending: ${pending}; npm start накладе їх · applies them`]
  return [
    'fail',
    name,
    'база новіша за програму: оновіть програму · the database is newer than this version: update it',
  ]
}

async function jobs(): Promise<Finding> {
  const name = 'Роботи · Jobs'
  const [last, ...others] = await failedJobs()
  if (!last) return ['ok', name, 'невдалих немає · none failed']
  const when = last.failedAt.toISOString().slice(0, 16)
  return ['warn', name, `невдалих · failed: ${others.length + 1}; ${when} ${last.name}: ${last.says.slice(0, 80)}`]
}
