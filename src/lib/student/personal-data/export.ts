import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { makeZip } from 'client-zip'
import { and, desc, eq, inArray, lte } from 'drizzle-orm'
import { inSystem, inTenant, readUntenanted } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { enqueueJob, type JobRun } from '#lib/core/jobs/jobs.ts'
import { withTemporaryFolder } from '#lib/core/media/temporary-folder.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { UUID_PATTERN } from '#lib/core/shared/uuid.ts'
import { loadEmailSchool } from '#lib/notification/delivery/school.ts'
import { notify } from '#lib/notification/notify.ts'
import { requireUnboundSession } from '#lib/user/session.ts'
import { user } from '#lib/user/table.ts'
import { collectFiles, listMemberships } from './collect.ts'
import { sendMyDataEmail } from './emails.ts'
import type { MyData } from './schema.ts'
import { dataExport, deletionRequest } from './table.ts'

/** How long an export can be downloaded. */
const EXPORT_DAYS = 7
const MAX_PER_DAY = 3

/** The newest export of the actor's data and the requested deletion. Refuses with forbidden while viewing as a student. */
export function getMyData(actor: Actor): Promise<MyData> {
  requireOwnAccount(actor)
  return readUntenanted(async (tx) => {
    const [[newest], [deletion], [account]] = await Promise.all([
      tx
        .select()
        .from(dataExport)
        .where(and(eq(dataExport.userId, actor.userId), inArray(dataExport.state, ['queued', 'ready', 'failed'])))
        .orderBy(desc(dataExport.requestedAt))
        .limit(1),
      tx.select().from(deletionRequest).where(eq(deletionRequest.userId, actor.userId)),
      tx.select({ passwordHash: user.passwordHash }).from(user).where(eq(user.id, actor.userId)),
    ])
    const isOver = newest?.expiresAt && newest.expiresAt <= new Date()
    return {
      export: newest && !isOver ? toExportView(newest) : null,
      deletionDueAt: deletion?.dueAt ?? null,
      hasPassword: Boolean(account?.passwordHash),
    }
  })
}

function toExportView({ id, state, size, expiresAt }: typeof dataExport.$inferSelect): MyData['export'] {
  return state === 'removed' ? null : { id, state, size, expiresAt }
}

/**
 * Starts an export of all data that is stored about the actor in all schools; an email is sent when it is ready. A
 * second call while one runs returns that one. Refuses with forbidden, too_many (three a day).
 */
export async function requestDataExport(actor: Actor): Promise<{ exportId: string }> {
  requireOwnAccount(actor)
  const running = await findQueued(actor.userId)
  if (running) return { exportId: running }
  await countAttempt(`dataExport:${actor.userId}`, { limit: MAX_PER_DAY, windowSeconds: DAY_MS / 1000 })
  return inSystem(async (tx) => {
    const [created] = await tx
      .insert(dataExport)
      .values({ id: newId(), userId: actor.userId })
      .onConflictDoNothing()
      .returning({ id: dataExport.id })
    const exportId = created?.id ?? (await findQueued(actor.userId))
    if (!exportId) throw new Refusal('conflict')
    if (created) await enqueueJob('student.exportData', { tenantId: null, exportId }, { singletonKey: exportId })
    return { exportId }
  })
}

function findQueued(userId: string): Promise<string | undefined> {
  return inSystem(async (tx) => {
    const [row] = await tx
      .select({ id: dataExport.id })
      .from(dataExport)
      .where(and(eq(dataExport.userId, userId), eq(dataExport.state, 'queued')))
    return row?.id
  })
}

/** Job handler: writes the ZIP of a queued export to the object store and informs the person. Idempotent. */
export async function runDataExport(
  { exportId }: { exportId: string },
  run: Pick<JobRun, 'isLastAttempt'>,
): Promise<void> {
  const [person] = await inSystem((tx) =>
    tx
      .select({ userId: user.id, email: user.email, locale: user.locale, timeZone: user.timeZone })
      .from(dataExport)
      .innerJoin(user, eq(user.id, dataExport.userId))
      .where(and(eq(dataExport.id, exportId), eq(dataExport.state, 'queued'))),
  )
  if (!person) return
  try {
    const size = await withTemporaryFolder((folder) => writeZip(person, exportId, folder))
    const expiresAt = new Date(Date.now() + EXPORT_DAYS * DAY_MS)
    // Before the state: a process that is killed in between repeats the job, and a cause notifies once.
    await notifyOfExport(person.userId, exportId)
    await inSystem(async (tx) => {
      const [ready] = await tx
        .update(dataExport)
        .set({ state: 'ready', size, readyAt: new Date(), expiresAt })
        .where(and(eq(dataExport.id, exportId), eq(dataExport.state, 'queued')))
        .returning({ id: dataExport.id })
      if (ready) await sendMyDataEmail(person, 'readyEmail', expiresAt)
    })
  } catch (error) {
    if (run.isLastAttempt) {
      await inSystem((tx) => tx.update(dataExport).set({ state: 'failed' }).where(eq(dataExport.id, exportId)))
    }
    throw error
  }
}

async function notifyOfExport(userId: string, exportId: string): Promise<void> {
  for (const { tenantId, memberId } of await listMemberships(userId)) {
    await inTenant({ tenantId }, async (tx) => {
      const school = await loadEmailSchool(tx)
      if (!school) return
      await notify(tx, {
        kind: 'data_exported',
        memberIds: [memberId],
        key: `data-export/${exportId}`,
        data: { subject: school.name },
        link: '/profile#my-data',
        email: false,
      })
    })
  }
}

async function writeZip(person: Parameters<typeof collectFiles>[0], exportId: string, folder: string): Promise<number> {
  const target = path.join(folder, 'export.zip')
  const zip = makeZip(collectFiles(person, new Date()))
  await pipeline(Readable.fromWeb(zip as NodeReadableStream<Uint8Array>), createWriteStream(target, { mode: 0o600 }))
  const { size } = await stat(target)
  await store.put(exportFileKey(person.userId, exportId), { path: target })
  return size
}

/** The ZIP of the actor's own export. Refuses with forbidden, not_found (also when it has expired). */
export async function openDataExport(
  actor: Actor,
  exportId: string,
): Promise<{ name: string; size: number; body: ReadableStream<Uint8Array> }> {
  requireOwnAccount(actor)
  if (!UUID_PATTERN.test(exportId)) throw new Refusal('not_found')
  const [row] = await inSystem((tx) =>
    tx
      .select()
      .from(dataExport)
      .where(and(eq(dataExport.id, exportId), eq(dataExport.userId, actor.userId), eq(dataExport.state, 'ready'))),
  )
  if (!row?.expiresAt || row.expiresAt <= new Date()) throw new Refusal('not_found')
  const content = await store.read(exportFileKey(actor.userId, exportId))
  if (!content || row.size === null) throw new Refusal('not_found')
  return { name: 'my-data.zip', size: row.size, body: Readable.toWeb(content) as ReadableStream<Uint8Array> }
}

/** Removes the files of expired exports. Periodic; returns how many. */
export async function removeExpiredExports(now = new Date()): Promise<number> {
  const expired = await inSystem((tx) =>
    tx
      .select({ id: dataExport.id, userId: dataExport.userId })
      .from(dataExport)
      .where(and(eq(dataExport.state, 'ready'), lte(dataExport.expiresAt, now)))
      .limit(1000),
  )
  const task = { job: 'student.removeExports', tenantId: '', items: expired, idOf: (row: { id: string }) => row.id }
  return forEachItem(task, async ({ id, userId }) => {
    await store.remove(exportFileKey(userId, id))
    await inSystem((tx) => tx.update(dataExport).set({ state: 'removed' }).where(eq(dataExport.id, id)))
  })
}

/**
 * Refuses with forbidden a team member who views as a student, and a session of a one-time login link: the account is not
 * theirs, or perhaps not.
 */
export function requireOwnAccount(actor: Actor): void {
  requireUnboundSession(actor)
  if (actor.impersonation) throw new Refusal('forbidden')
}

// The key of an object of a tenant consists of two ids, so here it is the id of the user and of the export.
const exportFileKey = (userId: string, exportId: string): string => `${userId}/${exportId}`
