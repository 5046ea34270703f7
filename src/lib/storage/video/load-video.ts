import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { file, video } from '../table.ts'

/**
 * A video or audio file that is not in the trash, with its encoding state. `lock` makes concurrent changes wait for the
 * end of the transaction. Refuses with not_found.
 */
export async function loadVideoFile(tx: Tx, fileId: string, lock = false) {
  const query = tx
    .select({
      id: file.id,
      kind: file.kind,
      name: file.name,
      ownerId: file.ownerId,
      description: file.description,
      mime: file.mime,
      size: file.size,
      duration: video.duration,
      hasSound: video.hasSound,
      hasPicture: video.hasPicture,
      state: video.state,
      posters: video.posters,
      poster: video.poster,
      chapters: video.chapters,
      suggestedName: video.suggestedName,
      suggestedDescription: video.suggestedDescription,
    })
    .from(file)
    .leftJoin(video, eq(video.fileId, file.id))
    .where(and(eq(file.id, fileId), inArray(file.kind, ['video', 'audio']), isNull(file.deletedAt)))
  const [videoFile] = lock ? await query.for('update', { of: file }) : await query
  if (!videoFile) throw new Refusal('not_found')
  return videoFile
}
