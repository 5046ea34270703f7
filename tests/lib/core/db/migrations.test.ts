import fs from 'node:fs'
import path from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { getTableColumns, getTableName, is, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import { PgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { config } from '#lib/core/config/config.ts'
import { enumValuesOf } from '#lib/core/db/checks.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { readJournal } from '#lib/core/db/journal.ts'
import { MIGRATIONS } from '#lib/core/db/migrations-folder.ts'
import { createDatabase, TEMPLATE } from '../../../setup/servers/cluster.ts'

const files = import.meta.glob<Record<string, unknown>>(['/src/lib/**/table.ts', '/src/lib/**/*-table.ts'], {
  eager: true,
})
const tables = Object.values(files).flatMap((file) =>
  Object.values(file).filter((value): value is PgTable => is(value, PgTable)),
)
const schema: Record<string, PgTable> = Object.fromEntries(tables.map((table) => [getTableName(table), table]))
const EMPTY = generateDrizzleJson({})
const declared = generateDrizzleJson(schema, EMPTY.id, undefined, 'snake_case')

const migrated = new pg.Client({ connectionString: config.databaseUrl })
beforeAll(() => migrated.connect())
afterAll(() => migrated.end())

const COLUMNS = `
  select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' ' ||
         a.attidentity::text || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '') as definition
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`
const CONSTRAINTS = `
  select conrelid::regclass || '.' || conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
   where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'p', 'u')`
// Drizzle cannot express exclusion constraints: migrations contain them as SQL.
const INDEXES = `
  select tablename || '.' || indexname as name, indexdef as definition from pg_indexes
   where schemaname = 'public' and indexname not in (select conname from pg_constraint where contype = 'x')`

async function readDefinitions(client: pg.Client, query: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(query)
  return rows.map(({ name, definition }) => `${name}: ${definition}`).sort()
}

describe('the Drizzle schema', () => {
  test('needs no migration', async () => {
    const tag = readJournal().at(-1)?.tag ?? ''
    const snapshot = JSON.parse(fs.readFileSync(path.join(MIGRATIONS, `meta/${tag.slice(0, 4)}_snapshot.json`), 'utf8'))
    expect(await generateMigration(snapshot, declared)).toEqual([])
  })

  test('creates the same tables as the migrations', async () => {
    const made = new pg.Client(await createDatabase(inject('cluster').socketDir, `schema_${process.pid}`, TEMPLATE))
    await made.connect()
    // The functions, the collation and the extension are kept, because the indexes need them.
    for (const name of Object.keys(schema)) await made.query(`drop table ${pg.escapeIdentifier(name)} cascade`)
    for (const statement of await generateMigration(EMPTY, declared)) await made.query(statement)
    const queries = [COLUMNS, CONSTRAINTS, INDEXES].join(' union all ')
    expect(await readDefinitions(migrated, queries)).toEqual(await readDefinitions(made, queries))
    await made.end()
  })
})

describe('a check', () => {
  test('lists the values of every enum column', async () => {
    const { rows } = await migrated.query<{ name: string; definition: string }>(CONSTRAINTS)
    const definitions = new Map(rows.map(({ name, definition }) => [name.replaceAll('"', ''), definition]))
    const enums = tables.flatMap((table) =>
      Object.values(getTableColumns(table)).flatMap((column) => {
        const values = enumValuesOf(column)
        return values ? [{ name: `${getTableName(table)}_${toSnakeCase(column.name)}_enum`, table, values }] : []
      }),
    )
    expect(enums.length).toBeGreaterThan(60)
    for (const { name, table, values } of enums) {
      const literals = definitions.get(`${getTableName(table)}.${name}`)?.match(/'[^']*'(?=::text)/g)
      expect(literals, name).toEqual(values.map((value) => `'${value}'`))
    }
  })

  const tenantId = newId()
  const id = sql`gen_random_uuid()`
  test.each([
    ['course_staff_role_enum', sql`insert into course_staff values (${tenantId}, ${id}, ${id}, 'janitor')`],
    [
      'membership_roles_enum',
      sql`insert into membership (tenant_id, id, user_id, account_type, status, roles)
        values (${tenantId}, ${id}, ${id}, 'ACCOUNT_TYPE_STUDENT', 'active', array['STUDENT', 'KING'])`,
    ],
    [
      'meeting_rating_stars_range',
      sql`insert into meeting_rating (tenant_id, session_id, person_id, stars) values (${tenantId}, ${id}, ${id}, 6)`,
    ],
    [
      'generation_progress_range',
      sql`insert into generation (tenant_id, file_id, kind, lang, progress)
        values (${tenantId}, ${id}, 'texts', 'uk', 101)`,
    ],
    ['storage_use_original_range', sql`insert into storage_use (tenant_id, original) values (${tenantId}, -1)`],
    [
      'masterclass_version_range',
      sql`insert into masterclass (tenant_id, workshop_id, content, version) values (${tenantId}, ${id}, '{}', 0)`,
    ],
    [
      'snippet_title_length',
      sql`insert into snippet (tenant_id, id, owner_id, title, body)
        values (${tenantId}, ${id}, ${id}, repeat('ї', 81), '')`,
    ],
    [
      'study_group_start_at_end_at_order',
      sql`insert into study_group (tenant_id, id, course_id, name, start_at, end_at)
        values (${tenantId}, ${id}, ${id}, '', now(), now())`,
    ],
  ])('refuses an impossible row: %s', async (constraint, statement) => {
    await expect(inTenant({ tenantId }, (tx) => tx.execute(statement))).rejects.toMatchObject({
      cause: { code: '23514', constraint },
    })
  })
})

const AUTHOR = 'names an author: members are blocked and never deleted, and no list is by author'
const IN_SESSION = 'is read within a session, by an index that begins with it; participants are never deleted'

/** Foreign keys without an index, each with its reason. */
const WITHOUT_INDEX: Record<string, string> = {
  access_change_by: AUTHOR,
  access_override_by: AUTHOR,
  homework_message_author: AUTHOR,
  invitation_invited_by: AUTHOR,
  lesson_revision_by: AUTHOR,
  lesson_updated_by: AUTHOR,
  outline_change_by: AUTHOR,
  submission_event_by: AUTHOR,
  submission_reviewed_by: AUTHOR,
  workshop_created_by: AUTHOR,
  meeting_button_person: IN_SESSION,
  meeting_queue_person: IN_SESSION,
  meeting_rating_person: IN_SESSION,
  meeting_stream_person: IN_SESSION,
  meeting_vote_person: IN_SESSION,
  session_viewer_participant: IN_SESSION,
  submission_assigned_to: 'is looked for among waiting submissions alone, by submission_waiting_whose',
}

// A partial index of the rows in which the key is not null is sufficient for the key.
const UNINDEXED = `
  select f.conname as name from pg_constraint f
   where f.contype = 'f' and f.connamespace = 'public'::regnamespace and not exists (
     select from pg_index i
      where i.indrelid = f.conrelid
        and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) in (
          select format('(%I IS NOT NULL)', a.attname) from pg_attribute a
           where a.attrelid = f.conrelid and a.attnum = any (f.conkey)))
        and (select array_agg(key order by key) from unnest((i.indkey::int2[])[0:cardinality(f.conkey) - 1]) key)
          = (select array_agg(key order by key) from unnest(f.conkey) key))
   order by 1`

test('every foreign key used by joins or deletes has an index that begins with it', async () => {
  const { rows } = await migrated.query<{ name: string }>(UNINDEXED)
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(WITHOUT_INDEX).sort())
})
