import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { config } from '#lib/core/config/config.ts'
import { isolationViolations, readTables } from '../checks/database/row-security.ts'
import { report } from '../checks/source-tree.ts'

const client = new pg.Client({ connectionString: config.databaseUrl })
beforeAll(() => client.connect())
afterAll(() => client.end())

test('every tenant table has forced row-level security', async () => {
  const tables = await readTables(client)
  expect(tables.length).toBeGreaterThan(15)
  expect(report(isolationViolations(tables))).toEqual([])
})

test('the role of the application is no superuser and cannot bypass row-level security', async () => {
  const { rows } = await client.query('select rolsuper, rolbypassrls from pg_roles where rolname = current_user')
  expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false }])
})

const BAD = {
  homeless: ['create table hall.homeless (id uuid primary key)', /has no tenant_id/],
  loose: [
    'create table hall.loose (tenant_id uuid, id uuid primary key)',
    /may be null.*primary key without tenant_id/s,
  ],
  open: ['create table hall.open (tenant_id uuid, id uuid, primary key (tenant_id, id))', /no forced.*no policy/s],
  unforced: [
    `create table hall.unforced (tenant_id uuid, id uuid, primary key (tenant_id, id));
     alter table hall.unforced enable row level security;
     create policy p on hall.unforced using (tenant_id = current_tenant())`,
    /no forced row-level security/,
  ],
  leaky: [
    `create table hall.leaky (tenant_id uuid, id uuid, primary key (tenant_id, id));
     alter table hall.leaky enable row level security; alter table hall.leaky force row level security;
     create policy p on hall.leaky using (tenant_id = current_tenant());
     create policy q on hall.leaky for insert with check (true)`,
    /written past the wall by q/,
  ],
  crossing: [
    `create table hall.target (tenant_id uuid, id uuid unique, primary key (tenant_id, id));
     create table hall.crossing (tenant_id uuid, id uuid, to_id uuid references hall.target (id), primary key (tenant_id, id))`,
    /points at target without tenant_id/,
  ],
} satisfies Record<string, [statement: string, why: RegExp]>

test.each(Object.entries(BAD))('reports the missing isolation in %s', async (name, [statement, why]) => {
  await client.query('begin; create schema hall')
  await client.query(statement)
  const found = isolationViolations(await readTables(client, 'hall')).filter(({ path }) => path === `table ${name}`)
  await client.query('rollback')
  expect(report(found).join('\n')).toMatch(why)
})
