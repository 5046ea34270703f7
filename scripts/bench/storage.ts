import pg from 'pg'
import { makeConstantTree } from './constant-page.ts'
import { duel, type Target } from './duel.ts'
import { overSocket, startProduct } from './product.ts'
import { limitRow, type Row, type Section } from './report.ts'
import { alike, duelRow, perRequest } from './speed.ts'
import { type Stage, startCounted } from './stage.ts'

const SIZES = { small: 100, big: 10_000 }

/** The storage page: a folder of 10,000 files compared with one of 100, and with the same page from constants. */
export async function storagePage({ product, big: school, socketDir }: Stage): Promise<Section> {
  const { small, big } = await fillFolders(socketDir, school.tenantId)
  const { locals, opened } = await constants(socketDir, school, big)
  const root = await makeConstantTree(locals, { module: 'storage', results: { openStorage: opened } })
  const still = await startProduct(overSocket(socketDir), { root, more: { JOBS_IN_PROCESS: 'false' } })
  const target = (at: typeof product, folder: string): Target => ({
    pid: at.pid,
    port: at.port,
    path: `/storage?folder=${folder}`,
    headers: at.headersFor(school.subdomain, school.ownerToken),
  })
  await alike(target(product, big), target(still, big))
  const measured = await duel(target(product, big), target(still, big))
  await still.stop()
  const sizes = await duel(target(product, big), target(product, small))
  const rows: Row[] = [duelRow('/storage, a folder of 10,000', measured, 0.35)]
  rows.push({
    label: '/storage, a folder of 10,000’s cost over one of 100',
    ours: `${sizes.ours.toFixed(0)}/s`,
    baseline: `${sizes.baseline.toFixed(0)}/s`,
    result: (1 / sizes.ratio).toFixed(2),
    goal: '≤ 1.2',
    reached: 1 / sizes.ratio <= 1.2,
  })
  const counted = await startCounted(socketDir)
  for (const [name, folder] of Object.entries({ small, big })) {
    const { statements } = await perRequest(counted, school, `/storage?folder=${folder}`)
    rows.push(limitRow(`/storage, ${name} folder, statements`, statements, '', 8))
  }
  await counted.product.stop()
  return {
    title: 'The storage’s page',
    note: 'The first hundred rows of a folder, with the school’s space. Baseline P as for a cabinet page.',
    rows,
  }
}

const FILES = `
  with owner as (select id from membership where account_type = 'ACCOUNT_TYPE_PRODUCT_OWNER' limit 1),
    folder as (
      insert into file (tenant_id, id, kind, name, owner_id)
      select $1::uuid, time_ordered_id(), 'folder', $2::text, id from owner returning id)
  insert into file (tenant_id, id, parent_id, kind, name, mime, size, owner_id, widths)
  select $1::uuid, time_ordered_id(), folder.id, 'image', 'Світлина ' || n || '.jpg', 'image/jpeg', n * 1000, owner.id, '{320,640}'
  from owner, folder, generate_series(1, $3::int) n returning parent_id`

async function fillFolders(socketDir: string, tenantId: string): Promise<{ small: string; big: string }> {
  const client = new pg.Client({ connectionString: overSocket(socketDir) })
  await client.connect()
  await client.query("select set_config('app.tenant_id', $1, false)", [tenantId])
  const fill = async (name: keyof typeof SIZES) => {
    const { rows } = await client.query<{ parent_id: string }>(FILES, [tenantId, name, SIZES[name]])
    return rows[0]?.parent_id ?? ''
  }
  // The foreign key to the folder is checked at the end of the statement, when both rows exist.
  const folders = { small: await fill('small'), big: await fill('big') }
  await client.query('analyze file')
  await client.end()
  return folders
}

// The locals that middleware and HTTP server compute for this person.
async function constants(socketDir: string, school: Stage['big'], folderId: string) {
  process.env.DATABASE_URL = overSocket(socketDir)
  const { findActor } = await import('#lib/user/session.ts')
  const { openStorage } = await import('#lib/storage/storage.ts')
  const { findRoute } = await import('#lib/core/access/routes.ts')
  const { ListFiles } = await import('#lib/storage/schema.ts')
  const actor = await findActor(school.ownerToken, school.subdomain)
  if (!actor) throw new Error('the owner is not signed in')
  const opened = await openStorage(actor, ListFiles.parse({ folderId }))
  delete process.env.DATABASE_URL
  const host = { kind: 'school', subdomain: school.subdomain }
  const locals = { host, actor, route: findRoute('/storage'), token: null, notice: null, locale: 'uk', theme: 'system' }
  return {
    opened,
    locals: { ...locals, school: { id: actor.tenantId, name: actor.tenantName, subdomain: actor.subdomain } },
  }
}
