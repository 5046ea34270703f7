import { sql } from 'drizzle-orm'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { changeAccess } from '#lib/course/access/change-access.ts'
import { mapImport } from '#lib/student/import/map.ts'
import { runImport } from '#lib/student/import/run.ts'
import { uploadImport } from '#lib/student/import/upload.ts'
import { findActor } from '#lib/user/session.ts'
import { insertBare } from './bare-import.ts'
import type { ImportTimes } from './transfer.ts'

/*
 * Imports students repeatedly, each time followed by plain inserts into the same tables, and prints the times. The job
 * is run directly instead of being queued, so that no waiting time is measured.
 */
const [subdomain = '', token = '', courseId = '', rows = '', rounds = ''] = process.argv.slice(2)
const actor = await findActor(token, subdomain)
if (!actor) throw new Error('the owner is not signed in')
const times: ImportTimes[] = []
// The first round is the warm-up of both.
for (let round = 0; round <= Number(rounds); round++) {
  const count = round === 0 ? 500 : Number(rows)
  const bareMs = await timed(() => insertBare(actor, { courseId, count, mark: `bare${round}` }))
  const measured = await importOnce(actor, `import${round}`, count)
  if (round > 0) times.push({ ...measured, bareMs })
}
console.log(JSON.stringify(times))
await pool.end()
process.exit(0)

async function importOnce(owner: Actor, mark: string, count: number): Promise<Omit<ImportTimes, 'bareMs'>> {
  const importId = newId()
  const lines = Array.from({ length: count }, (_, n) => `${mark}-${n}@bench.test,Олена ${n},Коваль,+380671234567`)
  const bytes = new TextEncoder().encode(`Email,Ім’я,Прізвище,Телефон\n${lines.join('\n')}\n`)
  const uploadMs = await timed(() => uploadImport(owner, { importId, bytes, fileName: 'students.csv' }))
  const mapping = ['email', 'firstName', 'lastName', 'phone'] as const
  const dryRunMs = await timed(() =>
    mapImport(owner, { importId, mapping: [...mapping], courseId, groupId: null, tag: 'набір' }),
  )
  await inTenant(owner, (tx) => tx.execute(sql`update student_import set state = 'queued' where id = ${importId}`))
  const { signal } = new AbortController()
  const runMs = await timed(() => runImport({ tenantId: owner.tenantId, importId }, changeAccess, { signal }))
  const { rows: added } = await inTenant(owner, (tx) =>
    tx.execute<{ students: number }>(sql`select count(*)::int as students from student_import_row
      where tenant_id = current_tenant() and import_id = ${importId} and verdict = 'added'`),
  )
  if (added[0]?.students !== count) {
    throw new Error(`${added[0]?.students} of ${count} students were added`)
  }
  return { uploadMs, dryRunMs, runMs }
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await action()
  return performance.now() - begun
}
