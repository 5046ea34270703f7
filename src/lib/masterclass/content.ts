import { and, eq, inArray, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { attachFiles } from '#lib/storage/file-use.ts'
import { file } from '#lib/storage/table.ts'
import { requireManagedWorkshop, requireReadableWorkshop } from '#lib/workshop/permission.ts'
import { workshop } from '#lib/workshop/table.ts'
import { MasterclassContent, type SaveMasterclass } from './schema.ts'
import { masterclass } from './table.ts'

export interface MasterclassDraft {
  content: MasterclassContent
  /** 0 while nothing was saved. */
  version: number
  /** File names of the videos of its parts. */
  videoNames: Record<string, string>
}

/** The page of a masterclass for its editor. Refuses with forbidden, not_found. */
export function getMasterclass(actor: Actor, input: { workshopId: string }): Promise<MasterclassDraft> {
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireReadableWorkshop(tx, actor, workshopId)
    await requireMasterclass(tx, workshopId)
    const { content, version } = await readContent(tx, workshopId)
    const ids = content.parts.flatMap(({ fileId }) => (fileId ? [fileId] : []))
    const rows = ids.length
      ? await tx.select({ id: file.id, name: file.name }).from(file).where(inArray(file.id, ids))
      : []
    return { content, version, videoNames: Object.fromEntries(rows.map(({ id, name }) => [id, name])) }
  })
}

/**
 * Saves the page of a masterclass based on `version`. Refuses with forbidden, plan_inactive, not_found (a video too),
 * invalid, and conflict when it was changed meanwhile.
 */
export function saveMasterclass(actor: Actor, input: SaveMasterclass): Promise<{ version: number }> {
  const { workshopId, version, content } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const title = await requireMasterclass(tx, workshopId)
    const fileIds = content.parts.flatMap(({ fileId }) => (fileId ? [fileId] : []))
    await requireVideoFiles(tx, fileIds)
    const knownCalls = content.calls.filter(({ partId }) => content.parts.some(({ id }) => id === partId))
    const next = { ...content, calls: knownCalls }
    const row = { tenantId: actor.tenantId, workshopId, content: next, version: version + 1, updatedAt: new Date() }
    const saved =
      version === 0
        ? await tx.insert(masterclass).values(row).onConflictDoNothing().returning({ version: masterclass.version })
        : await tx
            .update(masterclass)
            .set({ content: next, version: sql`${masterclass.version} + 1`, updatedAt: row.updatedAt })
            .where(and(eq(masterclass.workshopId, workshopId), eq(masterclass.version, version)))
            .returning({ version: masterclass.version })
    const [savedRow] = saved
    if (!savedRow) throw new Refusal('conflict')
    // Recorded separately from the event's own files, whose update would release these.
    await attachFiles(actor, { kind: 'masterclass', id: workshopId, title }, fileIds)
    return { version: savedRow.version }
  })
}

/** The saved content, or an empty one. */
export async function readContent(
  tx: Tx,
  workshopId: string,
): Promise<{ content: MasterclassContent; version: number }> {
  const [row] = await tx
    .select({ content: masterclass.content, version: masterclass.version })
    .from(masterclass)
    .where(eq(masterclass.workshopId, workshopId))
  return row
    ? { ...row, content: parseStored(MasterclassContent, row.content) }
    : { content: MasterclassContent.parse({}), version: 0 }
}

/** Title of a masterclass. Refuses with not_found if it is none. */
export async function requireMasterclass(tx: Tx, workshopId: string): Promise<string> {
  const [row] = await tx
    .select({ title: workshop.title })
    .from(workshop)
    .where(and(eq(workshop.id, workshopId), eq(workshop.type, 'masterclass')))
  if (!row) throw new Refusal('not_found')
  return row.title
}

async function requireVideoFiles(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx
    .select({ id: file.id })
    .from(file)
    .where(and(inArray(file.id, ids), inArray(file.kind, ['video', 'audio'])))
  if (rows.length < new Set(ids).size) throw new Refusal('not_found')
}
