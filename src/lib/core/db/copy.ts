import pg from 'pg'

/** Table name to the number of rows copied. */
export type Copied = Record<string, number>

const BATCH = 500

/**
 * Copies everything that schools own from one database to another whose schema is the same and which is empty:
 * parents before children, walled tables school by school, in one transaction of the target. Events of live streams,
 * limits and jobs are of the moment and stay behind. Throws when the target holds a school already.
 */
export async function copyDatabase(from: pg.ClientConfig, to: pg.ClientConfig): Promise<Copied> {
  const [source, target] = [new pg.Client(from), new pg.Client(to)]
  await Promise.all([source.connect(), target.connect()])
  try {
    await source.query('begin isolation level repeatable read read only')
    await target.query('begin')
    const { rows } = await target.query('select 1 from tenant limit 1')
    if (rows.length > 0) throw new Error('the target holds schools already')
    const copied = await copyAll(source, target)
    await target.query('commit')
    return copied
  } finally {
    await Promise.all([source.end(), target.end()])
  }
}

async function copyAll(source: pg.Client, target: pg.Client): Promise<Copied> {
  const tables = await tablesInOrder(source)
  const copied: Copied = {}
  const tenants = await source.query<{ id: string }>('select id from tenant')
  for (const { name, walled } of tables) {
    const scopes = walled ? ['', ...tenants.rows.map((row) => row.id)] : ['']
    for (const scope of scopes) {
      await Promise.all([source, target].map((client) => enter(client, scope)))
      copied[name] = (copied[name] ?? 0) + (await copyRows(source, target, name))
    }
  }
  return copied
}

async function enter(client: pg.Client, tenantId: string): Promise<void> {
  await client.query("select set_config('app.tenant_id', $1, true)", [tenantId])
}

async function copyRows(source: pg.Client, target: pg.Client, table: string): Promise<number> {
  const name = pg.escapeIdentifier(table)
  let count = 0
  await source.query(`declare rows no scroll cursor for select to_jsonb(t) as row from ${name} t`)
  for (;;) {
    const { rows } = await source.query<{ row: unknown }>(`fetch ${BATCH} from rows`)
    if (rows.length === 0) break
    const batch = JSON.stringify(rows.map((each) => each.row))
    await target.query(`insert into ${name} select * from jsonb_populate_recordset(null::${name}, $1)`, [batch])
    count += rows.length
  }
  await source.query('close rows')
  return count
}

const OF_THE_MOMENT = ['live_event', 'throttle']

// Parents first, by the depth of foreign keys; no table of ours points at itself through another.
async function tablesInOrder(client: pg.Client): Promise<{ name: string; walled: boolean }[]> {
  const { rows } = await client.query<{ name: string; walled: boolean; parents: string[] }>(`
    select c.relname as name, c.relrowsecurity as walled,
           array(select f.confrelid::regclass::text from pg_constraint f
                  where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as parents
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`)
  const waiting = rows
    .filter((table) => !OF_THE_MOMENT.includes(table.name))
    .map((table) => ({ ...table, parents: table.parents.map((parent) => parent.replaceAll('"', '')) }))
  const ordered: { name: string; walled: boolean }[] = []
  while (waiting.length > 0) {
    const at = waiting.findIndex(({ parents }) => parents.every((name) => ordered.some((done) => done.name === name)))
    const [next] = waiting.splice(at, 1)
    if (at < 0 || !next) throw new Error('tables point at each other in a circle')
    ordered.push(next)
  }
  return ordered
}
