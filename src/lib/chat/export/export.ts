import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { makeZip } from 'client-zip'
import { and, desc, eq, lte } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { enqueueJob, type JobRun } from '#lib/core/jobs/jobs.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { withTemporaryFolder } from '#lib/core/media/temporary-folder.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { UUID_PATTERN } from '#lib/core/shared/uuid.ts'
import { notify } from '#lib/notification/notify.ts'
import { requireChatVerdict } from '../relation.ts'
import { canExportChat } from '../rules.ts'
import { chatConversation } from '../table.ts'
import { titleOfConversation } from '../title.ts'
import { collectConversations, type ExportCount, selectExported } from './collect.ts'
import type { ChatExportView, RequestChatExport } from './schema.ts'
import { chatExport } from './table.ts'

/** How long an export can be downloaded. */
const EXPORT_DAYS = 7
const MAX_LISTED = 20

/** The exports of the school, the newest first. Refuses with forbidden. */
export async function listChatExports(actor: Actor): Promise<{ exports: ChatExportView[] }> {
  requireChatVerdict(canExportChat(actor))
  return inTenant(actor, async (tx) => {
    const { id, conversationId, state, messageCount, size, requestedAt, expiresAt } = chatExport
    const rows = await tx
      .select({ id, conversationId, state, messageCount, size, requestedAt, expiresAt })
      .from(chatExport)
      .orderBy(desc(requestedAt), desc(id))
      .limit(MAX_LISTED)
    const titles = new Map<string, string>()
    for (const row of await selectExported(
      tx,
      null,
      rows.flatMap((each) => each.conversationId ?? []),
    ))
      titles.set(row.id, titleOfConversation(row).title ?? '')
    return {
      exports: rows.map(({ conversationId: exportedId, ...row }) => ({
        ...row,
        title: exportedId === null ? null : (titles.get(exportedId) ?? ''),
      })),
    }
  })
}

/**
 * Starts an export of one conversation or of all of the school, also of those in which the owner does not take part; the
 * audit log has it. A second call while one runs returns that one. Refuses with forbidden, not_found.
 */
export async function requestChatExport(
  actor: Actor,
  { conversationId }: RequestChatExport,
): Promise<{ exportId: string }> {
  requireChatVerdict(canExportChat(actor))
  return inTenant(actor, async (tx) => {
    if (conversationId) {
      const [found] = await tx
        .select({ id: chatConversation.id })
        .from(chatConversation)
        .where(eq(chatConversation.id, conversationId))
      if (!found) throw new Refusal('not_found')
    }
    const { tenantId, membershipId: requestedBy } = actor
    const id = newId()
    const { rowCount } = await tx
      .insert(chatExport)
      .values({ tenantId, id, requestedBy, conversationId: conversationId ?? null })
      .onConflictDoNothing()
    const [queued] = await tx.select({ id: chatExport.id }).from(chatExport).where(eq(chatExport.state, 'queued'))
    if (!queued) throw new Refusal('conflict')
    if (rowCount !== 0) {
      await enqueueJob('chat.export', { tenantId, exportId: id }, { singletonKey: id })
      await recordAuditEntry(tx, actor, { action: 'chat.exported', objectId: id, objectName: '' })
    }
    return { exportId: queued.id }
  })
}

/** Job handler: writes the ZIP of a queued export to the object store. Idempotent. */
export async function runChatExport(
  { tenantId, exportId }: { tenantId: string; exportId: string },
  run: Pick<JobRun, 'isLastAttempt'>,
): Promise<void> {
  const isQueued = and(eq(chatExport.id, exportId), eq(chatExport.state, 'queued'))
  const [queued] = await inTenant({ tenantId }, (tx) =>
    tx.select({ conversationId: chatExport.conversationId }).from(chatExport).where(isQueued),
  )
  if (!queued) return
  try {
    const counted: ExportCount = { messages: 0 }
    const size = await withTemporaryFolder(async (folder) => {
      const target = path.join(folder, 'chat.zip')
      const zip = makeZip(collectConversations(tenantId, queued.conversationId, counted))
      await pipeline(
        Readable.fromWeb(zip as NodeReadableStream<Uint8Array>),
        createWriteStream(target, { mode: 0o600 }),
      )
      await store.put(`${tenantId}/${exportId}`, { path: target })
      return (await stat(target)).size
    })
    const expiresAt = new Date(Date.now() + EXPORT_DAYS * DAY_MS)
    const ready = { state: 'ready' as const, size, messageCount: counted.messages, expiresAt }
    await inTenant({ tenantId }, (tx) => finishExport(tx, exportId, ready))
  } catch (error) {
    if (run.isLastAttempt)
      await inTenant({ tenantId }, (tx) => tx.update(chatExport).set({ state: 'failed' }).where(isQueued))
    throw error
  }
}

/** Makes a queued export available, and notifies the owner who requested it. */
async function finishExport(
  tx: Tx,
  exportId: string,
  ready: { state: 'ready'; size: number; messageCount: number; expiresAt: Date },
): Promise<void> {
  const [row] = await tx
    .update(chatExport)
    .set(ready)
    .where(and(eq(chatExport.id, exportId), eq(chatExport.state, 'queued')))
    .returning({ requestedBy: chatExport.requestedBy })
  if (!row) return
  await notify(tx, {
    kind: 'chat_exported',
    memberIds: [row.requestedBy],
    key: `chat_exported/${exportId}`,
    data: { subject: String(ready.messageCount) },
    link: '/chat?view=settings',
  })
}

/** The ZIP of an export. Refuses with forbidden, not_found (also when it has expired). */
export async function openChatExport(
  actor: Actor,
  exportId: string,
  now = new Date(),
): Promise<{ name: string; size: number; body: ReadableStream<Uint8Array> }> {
  requireChatVerdict(canExportChat(actor))
  if (!UUID_PATTERN.test(exportId)) throw new Refusal('not_found')
  const [row] = await inTenant(actor, (tx) =>
    tx
      .select({ size: chatExport.size, expiresAt: chatExport.expiresAt })
      .from(chatExport)
      .where(and(eq(chatExport.id, exportId), eq(chatExport.state, 'ready'))),
  )
  if (!row?.expiresAt || row.expiresAt <= now || row.size === null) throw new Refusal('not_found')
  const content = await store.read(`${actor.tenantId}/${exportId}`)
  if (!content) throw new Refusal('not_found')
  return { name: 'chat.zip', size: row.size, body: Readable.toWeb(content) as ReadableStream<Uint8Array> }
}

/** Removes the files of expired exports. Periodic; returns how many. */
export function removeExpiredChatExports(now = new Date()): Promise<number> {
  const due = { job: 'chat.removeExports', dueSql: EXPIRED, now }
  return forEachTenant(due, async (tenantId) => {
    const isExpired = and(eq(chatExport.state, 'ready'), lte(chatExport.expiresAt, now))
    const rows = await inTenant({ tenantId }, (tx) =>
      tx.select({ id: chatExport.id }).from(chatExport).where(isExpired),
    )
    const task = { job: 'chat.removeExports', tenantId, items: rows, idOf: ({ id }: { id: string }) => id }
    return forEachItem(task, async ({ id }) => {
      await store.remove(`${tenantId}/${id}`)
      const isExport = and(isExpired, eq(chatExport.id, id))
      await inTenant({ tenantId }, (tx) => tx.update(chatExport).set({ state: 'removed' }).where(isExport))
    })
  })
}

const EXPIRED = "select 1 from chat_export where state = 'ready' and expires_at <= $1"
