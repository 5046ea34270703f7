import path from 'node:path'
import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { filesIn } from '#lib/core/media/playlist.ts'
import { MediaError } from '#lib/core/media/run.ts'
import { video } from '../table.ts'
import { countDerivedBytes } from '../upload/quota.ts'
import { derivedKey, isVideoOutput } from './derived-key.ts'
import { type EncodingRun, isCurrentAttempt, Superseded } from './encoding-run.ts'

type EncodingAttempt = Pick<EncodingRun, 'tenantId' | 'fileId' | 'attempt'>

const MAX_CONCURRENT_PUTS = 6

/** Puts a folder of the scratch into the store under `target`. Nothing refers to it before all of it is there. */
export async function putFolder(work: EncodingRun, folder: string, target: string): Promise<void> {
  const names = await filesIn(path.join(work.folder, folder))
  const next = names.values()
  const putNext = async () => {
    for (const name of next) await putFile(work, path.join(work.folder, folder, name), `${target}/${name}`)
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT_PUTS }, putNext))
}

export async function putFile(work: EncodingRun, from: string | Uint8Array, target: string): Promise<void> {
  if (work.signal.aborted) throw new MediaError('stopped')
  await store.put(derivedKey(work.tenantId, work.fileId, target), typeof from === 'string' ? { path: from } : from)
}

/**
 * Writes what is whole now into the video's row and counts its bytes. They are counted by what lies in the store, so
 * that an attempt that was killed between putting and counting leaves no difference. Throws Superseded.
 */
export async function recordOutput(work: EncodingAttempt, set: Partial<typeof video.$inferInsert>): Promise<void> {
  let made = 0
  for await (const { size } of listOutput(work)) made += size
  await inTenant(work, async (tx) => {
    const [before] = await tx.select({ made: video.made }).from(video).where(isCurrentAttempt(work)).for('update')
    if (!before) throw new Superseded()
    await tx
      .update(video)
      .set({ ...set, made })
      .where(eq(video.fileId, work.fileId))
    await countDerivedBytes(tx, work.tenantId, made - before.made)
  })
}

/** Removes objects of resolutions that never became whole. */
export async function removePartialOutput(work: EncodingAttempt): Promise<void> {
  const [row] = await inTenant(work, (tx) =>
    tx.select({ renditions: video.renditions, soundReady: video.soundReady }).from(video).where(isCurrentAttempt(work)),
  )
  if (!row) return
  const whole = new Set(row.renditions.filter(({ ready }) => ready).map(({ size }) => String(size)))
  if (row.soundReady) whole.add('sound')
  if (whole.size > 0) whole.add('master.m3u8')
  for await (const { key } of listOutput(work)) {
    const [, folder] = /\.made\/hls\/([^/]+)/.exec(key) ?? []
    if (folder && !whole.has(folder)) await store.remove(key)
  }
  await recordOutput(work, {})
}

async function* listOutput({ tenantId, fileId }: EncodingAttempt) {
  for await (const found of store.list(`${tenantId}/${fileId}.made/`)) {
    if (isVideoOutput(found.key)) yield found
  }
}
