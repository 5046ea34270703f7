import { eq } from 'drizzle-orm'
import { DRAFT_FRAME_SIZE } from '#lib/core/broadcast/recording/compose-plan.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { masterPlaylist } from '#lib/core/media/playlist.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { objectKey } from '../object-key.ts'
import { FileName } from '../schema.ts'
import { file, video } from '../table.ts'
import { purgeAreaFiles } from '../trash.ts'
import { addOriginalBytes, countDerivedBytes } from '../upload/quota.ts'
import { derivedKey } from './derived-key.ts'

const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl'

export interface PreliminaryReplay {
  tenantId: string
  fileId: string
  name: string
  /** The member who owns the file. */
  ownerId: string
  /** Media playlist of the pieces. */
  playlist: string
  seconds: number
}

type FileAddress = Pick<PreliminaryReplay, 'tenantId' | 'fileId'>

/** Stores a piece: a segment of fMP4, or an init segment. `name` is its URI in the playlist. */
export const putReplayPiece = ({ tenantId, fileId }: FileAddress, name: string, path: string): Promise<void> =>
  store.put(derivedKey(tenantId, fileId, `${PIECES}/${name}`), { path })

const { width, height } = DRAFT_FRAME_SIZE
const PIECES = `hls/${height}`
/** RFC 6381: constrained baseline of level 3.1, and AAC. */
const CODECS = 'avc1.42c01f,mp4a.40.2'

/**
 * Makes stored pieces playable as a video that the file library does not list. Its original is the playlist. Nothing
 * happens when the file exists.
 */
export async function publishPreliminaryReplay(replay: PreliminaryReplay): Promise<void> {
  const { tenantId, fileId, ownerId, playlist, seconds } = replay
  const original = Buffer.from(playlist)
  const pieces = derivedKey(tenantId, fileId, PIECES)
  let made = 0
  for await (const { size } of store.list(`${pieces}/`)) made += size
  const average = Math.ceil((8 * made) / Math.max(seconds, 1))
  const variant = { size: height, width, height, bandwidth: 2 * average, average, codecs: CODECS }
  const master = Buffer.from(masterPlaylist([variant], null))
  await store.put(`${pieces}/index.m3u8`, original)
  await store.put(derivedKey(tenantId, fileId, 'hls/master.m3u8'), master)
  await store.put(objectKey(tenantId, fileId), original)
  await inTenant(replay, async (tx) => {
    const content = { kind: 'video' as const, mime: PLAYLIST_TYPE, size: original.length, width, height }
    const name = parseStored(FileName, replay.name)
    const row = { tenantId, id: fileId, ownerId, name, area: 'replay' as const, ...content }
    const added = await tx.insert(file).values(row).onConflictDoNothing().returning({ id: file.id })
    if (added.length === 0) return
    made += original.length + master.length
    await addOriginalBytes(tx, tenantId, original.length)
    await countDerivedBytes(tx, tenantId, made)
    await tx.insert(video).values({
      tenantId,
      fileId,
      state: 'finished',
      progress: 100,
      duration: Math.max(1, Math.round(seconds)),
      hasPicture: true,
      hasSound: true,
      renditions: [{ ...variant, ready: true }],
      made,
    })
  })
}

/** Deletes a preliminary replay, or its pieces when it was not published. Idempotent. */
export async function discardPreliminaryReplay({ tenantId, fileId }: FileAddress): Promise<void> {
  const rows = await inTenant({ tenantId }, (tx) => tx.select({ id: file.id }).from(file).where(eq(file.id, fileId)))
  if (rows.length === 0) return store.removeFile(tenantId, fileId)
  await purgeAreaFiles(tenantId, 'replay', [fileId])
}
