import type pg from 'pg'
import type { Violation } from '../source.ts'

export interface TableFacts {
  name: string
  columns: { name: string; nullable: boolean }[]
  primaryKey: string[]
  rowSecurity: boolean
  forced: boolean
  /** Policies for the app's role, with their conditions for reading and writing. */
  policies: { name: string; reads: string; writes: string }[]
  foreignKeys: { name: string; columns: string[]; target: string; targetColumns: string[] }[]
}

/** Tables without a tenant, each with the reason. All others are isolated. */
const WITHOUT_TENANT: Record<string, string> = {
  tenant: 'is the school',
  former_subdomain: 'finds the school',
  tenant_domain: 'finds the school',
  tenant_logo: 'is public',
  user: 'a person is of many schools',
  session: 'finds the school',
  sign_up: 'the school does not exist yet',
  email_verification: 'belongs to a person',
  password_reset: 'belongs to a person',
  recovery_code: 'belongs to a person',
  data_export: 'belongs to a person',
  deletion_request: 'belongs to a person',
  secret_key: 'belongs to the installation',
  throttle: 'counts callers before anybody knows who they are',
}
/** Isolated tables whose rows may have no tenant: emails about an account. */
const OPTIONAL_TENANT = new Set(['mail'])

/** The properties of the tables in a schema that tenant isolation depends on, from the catalog of the server. */
export async function readTables(client: pg.ClientBase, schema = 'public'): Promise<TableFacts[]> {
  const { rows } = await client.query<TableFacts>(FACTS, [schema])
  return rows
}

/** Tenant isolation: forced row-level security, and keys and references that contain the tenant. */
export function isolationViolations(tables: TableFacts[]): Violation[] {
  const isolated = new Set(tables.filter(({ name }) => !(name in WITHOUT_TENANT)).map(({ name }) => name))
  return tables.flatMap((table) => {
    const message = isolated.has(table.name) ? [...rowSecurityProblems(table), ...referencesOf(table, isolated)] : []
    return message.map((text) => ({ path: `table ${table.name}`, message: text }))
  })
}

function rowSecurityProblems(table: TableFacts): string[] {
  const tenant = table.columns.find(({ name }) => name === 'tenant_id')
  if (!tenant) return ['has no tenant_id']
  const half = OPTIONAL_TENANT.has(table.name)
  const guarded = table.policies.some(({ reads, writes }) =>
    [reads, writes].every((text) => text.includes('current_tenant()')),
  )
  return [
    !half && tenant.nullable ? 'has a tenant_id that may be null' : [],
    !half && !table.primaryKey.includes('tenant_id') ? 'has a primary key without tenant_id' : [],
    !table.rowSecurity || !table.forced ? 'has no forced row-level security' : [],
    !guarded ? 'has no policy that looks at the tenant for reading and writing' : [],
    table.policies
      .filter(({ writes }) => writes !== '' && !writes.includes('current_tenant()'))
      .map(({ name }) => `can be written past the wall by ${name}`),
  ].flat()
}

function referencesOf(table: TableFacts, isolated: Set<string>): string[] {
  return table.foreignKeys
    .filter(({ target }) => isolated.has(target))
    .filter(({ columns, targetColumns }) => targetColumns[columns.indexOf('tenant_id')] !== 'tenant_id')
    .map(({ name, target }) => `points at ${target} without tenant_id: ${name}`)
}

const FACTS = `
select c.relname as name, c.relrowsecurity as "rowSecurity", c.relforcerowsecurity as forced,
  (select coalesce(json_agg(json_build_object('name', attname, 'nullable', not attnotnull)), '[]') from pg_attribute
    where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
  (select coalesce(json_agg(a.attname), '[]') from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
    where i.indrelid = c.oid and i.indisprimary) as "primaryKey",
  (select coalesce(json_agg(json_build_object('name', polname, 'reads', coalesce(pg_get_expr(polqual, polrelid), ''),
      'writes', case when polcmd = 'r' then '' else coalesce(pg_get_expr(polwithcheck, polrelid), pg_get_expr(polqual, polrelid), '') end)), '[]')
    from pg_policy where polrelid = c.oid) as policies,
  (select coalesce(json_agg(json_build_object('name', f.conname, 'target', t.relname,
      'columns', (select json_agg(a.attname order by k.n) from unnest(f.conkey) with ordinality k(num, n) join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.num),
      'targetColumns', (select json_agg(a.attname order by k.n) from unnest(f.confkey) with ordinality k(num, n) join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.num))), '[]')
    from pg_constraint f join pg_class t on t.oid = f.confrelid where f.conrelid = c.oid and f.contype = 'f') as "foreignKeys"
from pg_class c join pg_namespace s on s.oid = c.relnamespace
where s.nspname = $1 and c.relkind in ('r', 'p') order by c.relname`
