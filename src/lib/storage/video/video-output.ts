import path from 'node:path'
import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { MediaError } from '#lib/core/media/media-task.ts'
import { listPlaylistFiles } from '#lib/core/media/playlist.ts'
import { video } from '../table.ts'
import { countDerivedBytes } from '../upload/quota.ts'
import { derivedKey, isVideoOutput } from './derived-key.ts'
import { type EncodingRun, isCurrentAttempt, SupersededEncodingError } from './encoding-run.ts'

type EncodingAttempt = Pick<EncodingRun, 'tenantId' | 'fileId' | 'attempt'>

const MAX_CONCURRENT_PUTS = 6

/** Uploads a temporary folder to the store under `target`. Nothing refers to it before it is complete. */
export async function putFolder(encoding: EncodingRun, folder: string, target: string): Promise<void> {
  const names = await listPlaylistFiles(path.join(encoding.folder, folder))
  const next = names.values()
  const putNext = async () => {
    for (const name of next) await putFile(encoding, path.join(encoding.folder, folder, name), `${target}/${name}`)
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT_PUTS }, putNext))
}

export async function putFile(encoding: EncodingRun, from: string | Uint8Array, target: string): Promise<void> {
  if (encoding.signal.aborted) throw new MediaError('stopped')
  await store.put(
    derivedKey(encoding.tenantId, encoding.fileId, target),
    typeof from === 'string' ? { path: from } : from,
  )
}

/**
 * Records completed output in the video's row and counts its bytes. They are measured in the store, so that an attempt
 * that was killed between upload and count leaves no difference. Throws Superseded.
 */
export async function recordOutput(encoding: EncodingAttempt, set: Partial<typeof video.$inferInsert>): Promise<void> {
  let made = 0
  for await (const { size } of listOutput(encoding)) made += size
  await inTenant(encoding, async (tx) => {
    const [before] = await tx.select({ made: video.made }).from(video).where(isCurrentAttempt(encoding)).for('update')
    if (!before) throw new SupersededEncodingError()
    await tx
      .update(video)
      .set({ ...set, made })
      .where(eq(video.fileId, encoding.fileId))
    await countDerivedBytes(tx, encoding.tenantId, made - before.made)
  })
}

/** Removes the output of incomplete resolutions. */
export async function removePartialOutput(encoding: EncodingAttempt): Promise<void> {
  const [row] = await inTenant(encoding, (tx) =>
    tx
      .select({ renditions: video.renditions, soundReady: video.soundReady })
      .from(video)
      .where(isCurrentAttempt(encoding)),
  )
  if (!row) return
  const whole = new Set(row.renditions.filter(({ ready }) => ready).map(({ size }) => String(size)))
  if (row.soundReady) whole.add('sound')
  if (whole.size > 0) whole.add('master.m3u8')
  for await (const { key } of listOutput(encoding)) {
    const [, folder] = /\.made\/hls\/([^/]+)/.exec(key) ?? []
    if (folder && !whole.has(folder)) await store.remove(key)
  }
  await recordOutput(encoding, {})
}

async function* listOutput({ tenantId, fileId }: EncodingAttempt) {
  for await (const object of store.list(`${tenantId}/${fileId}.made/`)) {
    if (isVideoOutput(object.key)) yield object
  }
}
