import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { attachFiles } from '#lib/storage/file-use.ts'
import { SPLASHES } from '../schema.ts'
import { workshop, workshopItem } from '../table.ts'

/** Records which files an event uses: cover, slides, splash pictures, guests, hand-outs; none once deleted. */
export async function recordEventFileUse(tx: Tx, actor: Actor, workshopId: string): Promise<void> {
  const { title, coverFileId, slidesFileId, settings, deletedAt } = workshop
  const [row] = await tx
    .select({ title, coverFileId, slidesFileId, settings, deletedAt })
    .from(workshop)
    .where(eq(workshop.id, workshopId))
  if (!row) return
  const items = await tx
    .select({ content: workshopItem.content })
    .from(workshopItem)
    .where(
      and(eq(workshopItem.workshopId, workshopId), eq(workshopItem.kind, 'handout'), isNull(workshopItem.deletedAt)),
    )
  const { splash, guests } = row.settings
  const used = [
    row.coverFileId,
    row.slidesFileId,
    ...SPLASHES.map((splashKind) => splash[splashKind].fileId),
    ...guests.map(({ fileId }) => fileId),
    ...items.map(({ content }) => fileIdOf(content)),
  ]
  const fileIds = row.deletedAt ? [] : used.filter((id) => id !== null)
  await attachFiles(actor, { kind: 'workshop', id: workshopId, title: row.title }, fileIds)
}

function fileIdOf(content: object): string | null {
  return 'fileId' in content && typeof content.fileId === 'string' ? content.fileId : null
}
