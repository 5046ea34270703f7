import fs from 'node:fs'
import path from 'node:path'
import { config } from '#lib/core/config/config.ts'
import { pool } from '#lib/core/db/db.ts'
import { MIGRATIONS } from '#lib/core/db/migrations-folder.ts'
import { listFailedJobs } from '#lib/core/jobs/jobs.ts'
import { describeSecretKey, readSecretKeyState } from '#lib/core/secret-key/secret-key.ts'
import { ENCRYPTED_COLUMNS } from '#lib/encrypted-columns.ts'
import { verifyPassword } from '#lib/user/password.ts'
import { PASSWORD } from '../demo/people.ts'
import { OLDEST_POSTGRES as OLDEST } from '../preflight.ts'
import { isLocal } from '../seed.ts'
import type { Finding } from './doctor-outside.ts'

/** Checks the database: version, role, tenant isolation, schema, jobs. Throws when it cannot be reached. */
export async function checkDatabase(): Promise<Finding[]> {
  const findings = [await version(), await role(), await rowSecurity(), await schema()]
  findings.push(await secretKey(), await jobs(), await checkDemoAccounts(config.baseDomain))
  return findings
}

/** Checks for accounts of the demo that still have the published password on a public domain. */
export async function checkDemoAccounts(baseDomain: string): Promise<Finding> {
  const name = 'Показові акаунти · Demo accounts'
  if (isLocal(baseDomain)) return ['ok', name, 'домен лише цієї машини · the domain is local']
  const known = await accountsWithKnownPassword()
  if (known.length === 0) return ['ok', name, 'немає · none']
  const advice =
    'змініть паролі або почніть з порожнього DATA_DIR · change their passwords or start with an empty DATA_DIR'
  return ['fail', name, `пароль відомий усім · the password is published: ${known.join(', ')}; ${advice}`]
}

async function accountsWithKnownPassword(): Promise<string[]> {
  const { rows: begun } = await pool.query<{ table: boolean }>(
    `select to_regclass('public."user"') is not null as table`,
  )
  if (!begun[0]?.table) return []
  const { rows } = await pool.query<{ email: string; hash: string }>(
    `select email, password_hash as hash from "user"
      where password_hash is not null and (email like '%@kafedra.test' or email like '%@sonata.test') order by email`,
  )
  const known: string[] = []
  for (const { email, hash } of rows) if (await verifyPassword(hash, PASSWORD)) known.push(email)
  return known
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
    `${rolname} обходить ізоляцію шкіл · passes row-level security: ALTER ROLE ${rolname} NOSUPERUSER NOBYPASSRLS`,
  ]
}

// A nullable tenant_id only references a tenant (e.g. of a session); a required one means that the row belongs to it.
// The excepted tables are needed to find the tenant of a host, or contain its public logo.
async function rowSecurity(): Promise<Finding> {
  const { rows } = await pool.query<{ name: string; isIsolated: boolean }>(`
    select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as "isIsolated"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname = 'public' and c.relkind in ('r', 'p') and a.attname = 'tenant_id' and a.attnotnull
      and c.relname not in ('former_subdomain', 'tenant_domain', 'tenant_logo')
    order by 1`)
  const open = rows.filter(({ isIsolated }) => !isIsolated).map(({ name }) => name)
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

async function secretKey(): Promise<Finding> {
  const name = 'Ключ · Secret key'
  const { rows } = await pool.query("select to_regclass('public.secret_key') is not null as known")
  if (!rows[0].known) return ['warn', name, 'чекає міграцій · after the migrations']
  const state = await readSecretKeyState(ENCRYPTED_COLUMNS)
  if (state.kind === 'unused') return ['ok', name, 'нічого не зашифровано · nothing is encrypted yet']
  if (state.kind !== 'right') return ['fail', name, describeSecretKey(state)]
  if (state.unreadable.length === 0) return ['ok', name, 'усе читається · everything is readable']
  return ['warn', name, `не прочитати · unreadable: ${state.unreadable.join('; ')}`]
}

async function jobs(): Promise<Finding> {
  const name = 'Роботи · Jobs'
  const [last, ...others] = await listFailedJobs()
  if (!last) return ['ok', name, 'невдалих немає · none failed']
  const when = last.failedAt.toISOString().slice(0, 16)
  return ['warn', name, `невдалих · failed: ${others.length + 1}; ${when} ${last.name}: ${last.lastError.slice(0, 80)}`]
}
