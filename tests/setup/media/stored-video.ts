import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { store } from '#lib/core/files/files.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { file, video } from '#lib/storage/table.ts'

interface StoredVideo {
  name?: string
  kind?: 'video' | 'audio'
  mime?: string
  /** In seconds; null while it is unknown. */
  duration?: number | null
  /** The file with its bytes, where they are read. */
  path?: string
}

/** A finished video of a school, as after encoding, without derived files. Returns its id. */
export async function addStoredVideo(actor: Actor, options: StoredVideo = {}): Promise<string> {
  const { name = 'Запис 04-11.mp4', kind = 'video', mime = 'video/mp4', duration = 60, path } = options
  const { tenantId, membershipId: ownerId } = actor
  const id = newId()
  if (path) await store.put(`${tenantId}/${id}`, { path })
  const size = path ? ((await store.stat(`${tenantId}/${id}`))?.size ?? 0) : 1000
  await inTenant(actor, async (tx) => {
    await tx.insert(file).values({ tenantId, id, ownerId, kind, name, mime, size })
    await tx.insert(video).values({ tenantId, fileId: id, state: 'finished', progress: 100, duration, hasSound: true })
  })
  return id
}
