import pg from 'pg'

export interface TableScope {
  name: string
  /** Row-level security shows the rows of one tenant at a time. */
  isIsolated: boolean
}

export interface TableSum {
  rows: number
  /** Checksum of the content of all rows, independent of their order. */
  checksum: string
}

// Live events and rate limits are transient and are not copied.
const TRANSIENT = ['live_event', 'throttle']

/** The tables of the schema `public` that are copied, referenced tables first. Throws when references are circular. */
export async function tablesInOrder(client: pg.Client): Promise<TableScope[]> {
  const { rows } = await client.query<{ name: string; isIsolated: boolean; parents: string[] }>(`
    select c.relname as name, c.relrowsecurity as "isIsolated",
           array(select p.relname::text from pg_constraint f join pg_class p on p.oid = f.confrelid
                  where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as parents
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`)
  const waiting = rows.filter((table) => !TRANSIENT.includes(table.name))
  const ordered: TableScope[] = []
  while (waiting.length > 0) {
    const at = waiting.findIndex(({ parents }) => parents.every((name) => ordered.some((done) => done.name === name)))
    const [next] = waiting.splice(at, 1)
    if (at < 0 || !next) throw new Error('tables refer to each other in a circle')
    ordered.push({ name: next.name, isIsolated: next.isIsolated })
  }
  return ordered
}

/** The ids of all tenants. The empty string represents rows without a tenant. */
export async function tenantScopes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('select id from tenant order by id')
  return ['', ...rows.map(({ id }) => id)]
}

/** Shows the rows of one tenant until the end of the transaction, or the next call. */
export async function enterTenant(client: pg.Client, tenantId: string): Promise<void> {
  await client.query("select set_config('app.tenant_id', $1, true)", [tenantId])
}

/** Number and checksum of a table's rows in these scopes. Has to run in a transaction with the time zone `UTC`. */
export async function sumOf(client: pg.Client, table: TableScope, scopes: readonly string[]): Promise<TableSum> {
  let [rows, checksum] = [0, 0n]
  for (const scope of table.isIsolated ? scopes : ['']) {
    await enterTenant(client, scope)
    const { rows: found } = await client.query<{ count: string; sum: string }>(
      `select count(*) as count, coalesce(sum(('x' || left(md5(to_jsonb(t)::text), 15))::bit(60)::bigint), 0) as sum
         from ${pg.escapeIdentifier(table.name)} t`,
    )
    rows += Number(found[0]?.count ?? 0)
    checksum += BigInt(found[0]?.sum ?? 0)
  }
  return { rows, checksum: checksum.toString(16) }
}

const BATCH_BYTES = 4 * 1024 * 1024
const MOST_ROWS = 500

/**
 * The rows of a table in one scope as JSON texts, in batches of about 4 MB. Texts, because JavaScript cannot represent
 * all digits of numbers and instants of the database. Has to run in a transaction, for one table at a time.
 */
export async function* readRows(client: pg.Client, query: string): AsyncGenerator<string[]> {
  await client.query(`declare copied no scroll cursor for ${query}`)
  for (let count = 20; ; ) {
    const { rows } = await client.query<{ row: string }>(`fetch ${count} from copied`)
    if (rows.length === 0) break
    yield rows.map(({ row }) => row)
    const bytes = rows.reduce((sum, { row }) => sum + row.length, 0)
    count = Math.max(1, Math.min(MOST_ROWS, Math.floor((BATCH_BYTES * rows.length) / bytes)))
  }
  await client.query('close copied')
}

export const rowsOf = (table: TableScope): string =>
  `select to_jsonb(t)::text as row from ${pg.escapeIdentifier(table.name)} t`

/** Inserts rows that `readRows` returned, all of one tenant. Generated columns are computed by the database. */
export async function writeRows(client: pg.Client, table: TableScope, rows: readonly string[]): Promise<void> {
  const name = pg.escapeIdentifier(table.name)
  const batch = `[${rows.join(',')}]`
  const { rows: found } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [name],
  )
  const columns = found[0]?.columns
  await client.query(
    `insert into ${name} (${columns}) select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
    [batch],
  )
}

/**
 * Allows rows of a table to be inserted before the rows of the same table that they reference (a file before its
 * folder), until the returned function has checked all references. Has to run in a transaction.
 */
export async function deferSelfReferences(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; constraint: string }>(
    `select c.relname as name, f.conname as constraint from pg_constraint f join pg_class c on c.oid = f.conrelid
      where f.contype = 'f' and f.confrelid = f.conrelid and c.relnamespace = 'public'::regnamespace
        and not f.condeferrable`,
  )
  const alterAll = async (timing: string) => {
    for (const { name, constraint } of rows) {
      const [table, foreignKey] = [pg.escapeIdentifier(name), pg.escapeIdentifier(constraint)]
      await client.query(`alter table ${table} alter constraint ${foreignKey} ${timing}`)
    }
  }
  await alterAll('deferrable initially deferred')
  return async () => {
    await client.query('set constraints all immediate')
    await alterAll('not deferrable')
  }
}
