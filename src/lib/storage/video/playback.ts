import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { dictionary } from '#lib/core/shared/dictionary.ts'
import { type FileUser, usedBy } from '../file-use.ts'
import { readMediaBase, signMediaBase } from '../media-base.ts'
import { canManageFiles, resumePosition } from '../rules.ts'
import { FileId, type PlaybackView } from '../schema.ts'
import { caption, file, playback, video } from '../table.ts'

/** Original formats that browsers play, by content type, with the names used by the media endpoint. */
const PLAYABLE_ORIGINALS = dictionary<{ extension: string; type: string }>({
  'video/mp4': { extension: 'mp4', type: 'video/mp4' },
  'video/x-m4v': { extension: 'mp4', type: 'video/mp4' },
  // Recordings of phones: browsers play the container only under this content type.
  'video/quicktime': { extension: 'mov', type: 'video/mp4' },
  'video/webm': { extension: 'webm', type: 'video/webm' },
  'audio/mpeg': { extension: 'mp3', type: 'audio/mpeg' },
  'audio/mp4': { extension: 'm4a', type: 'audio/mp4' },
  'audio/x-m4a': { extension: 'm4a', type: 'audio/mp4' },
  'audio/aac': { extension: 'aac', type: 'audio/aac' },
  'audio/ogg': { extension: 'ogg', type: 'audio/ogg' },
  'audio/opus': { extension: 'ogg', type: 'audio/ogg' },
  'audio/webm': { extension: 'webm', type: 'audio/webm' },
  'audio/wav': { extension: 'wav', type: 'audio/wav' },
  'audio/flac': { extension: 'flac', type: 'audio/flac' },
  'audio/x-flac': { extension: 'flac', type: 'audio/flac' },
})

/** Why an encoder failed at a file that no browser plays either. */
const UNREADABLE: readonly (string | null)[] = ['empty', 'damaged', 'no_picture_or_sound']

/**
 * Whether players can play a file: an output of the encoder is ready, or browsers play the original. `video` is null for
 * a file that was never queued for encoding.
 */
export function isPlayableFile(
  { kind, mime }: { kind: string; mime: string },
  row: Pick<typeof video.$inferSelect, 'renditions' | 'soundReady' | 'state' | 'failure'> | null,
): boolean {
  const isEncoded = kind === 'audio' ? row?.soundReady : row?.renditions.some(({ ready }) => ready)
  const isUnreadable = row?.state === 'failed' && UNREADABLE.includes(row.failure)
  return isEncoded || (mime in PLAYABLE_ORIGINALS && !isUnreadable)
}

/**
 * The part of an actor that playback depends on. A guest without a login session has the viewer ANYONE and no
 * membership.
 */
export type PlaybackActor = Pick<Actor, 'tenantId' | 'viewer' | 'membershipId' | 'roles'>

/**
 * Data for playing a video or audio file for the actor. The caller has checked that the actor may see the file; the
 * URLs are valid for the actor's login session only. Refuses with not_found: no such file in this tenant, deleted, or
 * not playable.
 */
export async function openPlayback(actor: PlaybackActor, fileId: string): Promise<PlaybackView> {
  if (!FileId.safeParse(fileId).success) throw new Refusal('not_found')
  return loadPlayback(actor, fileId)
}

/** As openPlayback, for team members who manage files and may see all of them. Refuses with forbidden too. */
export async function getPlayback(actor: Actor, input: { fileId: string }): Promise<PlaybackView> {
  if (!canManageFiles(actor).allow) throw new Refusal('forbidden')
  return openPlayback(actor, input.fileId)
}

/**
 * A fresh view for the base of an old one, even an expired one: an admitted viewer may finish watching, for at most 12
 * hours. Refuses with not_found for another viewer, another tenant, an invalid signature, a base too old, a deleted
 * file.
 */
export async function renewPlayback(actor: Actor, input: { base: string }): Promise<PlaybackView> {
  const known = readMediaBase(input.base, actor.viewer)
  if (!known || known.tenantId !== actor.tenantId) throw new Refusal('not_found')
  return loadPlayback(actor, known.fileId, known.issuedAt)
}

/** Saves the playback position of the actor. Refuses with not_found for a file that is not playable. */
export async function savePosition(actor: Actor, input: { fileId: string; seconds: number }): Promise<void> {
  const seconds = Math.floor(input.seconds)
  const saved = await inTenant(actor, (tx) =>
    tx
      .insert(playback)
      .select(
        tx
          .select({
            tenantId: file.tenantId,
            fileId: file.id,
            memberId: sql<string>`${actor.membershipId}::uuid`.as('member_id'),
            seconds: sql<number>`${seconds}::integer`.as('seconds'),
            updatedAt: sql<Date>`now()`.as('updated_at'),
          })
          .from(file)
          .where(playable(input.fileId)),
      )
      .onConflictDoUpdate({
        target: [playback.tenantId, playback.fileId, playback.memberId],
        set: { seconds, updatedAt: new Date() },
      })
      .returning({ fileId: playback.fileId }),
  )
  if (saved.length === 0) throw new Refusal('not_found')
}

/** The same for all playable files that an object uses (`attachFiles`), by file id. Two independent statements. */
export async function openPlaybackOfUsed(
  actor: PlaybackActor,
  user: Pick<FileUser, 'kind' | 'id'>,
): Promise<Map<string, PlaybackView>> {
  const rows = await selectPlayable(actor, usedBy(user))
  return new Map(rows.map((row) => [row.file.id, toPlaybackView(actor, row)]))
}

async function loadPlayback(actor: PlaybackActor, fileId: string, issuedAt?: number): Promise<PlaybackView> {
  const [row] = await selectPlayable(actor, eq(file.id, fileId))
  if (!row) throw new Refusal('not_found')
  return toPlaybackView(actor, row, issuedAt)
}

type PlayableRow = Awaited<ReturnType<typeof selectPlayable>>[number]

function selectPlayable(actor: PlaybackActor, condition: SQL) {
  const isPlayable = and(condition, inArray(file.kind, ['video', 'audio']), isNull(file.deletedAt))
  return inTenant(actor, async (tx) => {
    const isOwnPlayback = and(eq(playback.fileId, file.id), eq(playback.memberId, actor.membershipId))
    const [rows, captions] = await Promise.all([
      tx
        .select({ file, video, position: { seconds: playback.seconds, at: playback.updatedAt } })
        .from(file)
        .leftJoin(video, eq(video.fileId, file.id))
        .leftJoin(playback, isOwnPlayback)
        .where(isPlayable),
      tx
        .select({ fileId: caption.fileId, lang: caption.lang, at: caption.updatedAt })
        .from(caption)
        .innerJoin(file, eq(file.id, caption.fileId))
        .where(isPlayable)
        .orderBy(caption.lang),
    ])
    return rows.map((row) => ({ ...row, captions: captions.filter(({ fileId }) => fileId === row.file.id) }))
  })
}

function toPlaybackView(actor: PlaybackActor, row: PlayableRow, issuedAt?: number): PlaybackView {
  const fileId = row.file.id
  const { base, expiresIn } = signMediaBase(actor, fileId, issuedAt)
  const kind = row.file.kind === 'audio' ? 'audio' : 'video'
  return {
    fileId,
    memberId: actor.membershipId,
    kind,
    name: titleFromName(row.file.name),
    base,
    expiresIn,
    ...outputUrls(row.video, base, kind),
    sources: originalSources(base, row.file.mime),
    // The media endpoint allows caching: edited captions get another URL.
    captions: row.captions.map(({ lang, at }) => ({ lang, src: `${base}captions/${lang}.vtt?v=${at.getTime()}` })),
    width: row.file.width,
    height: row.file.height,
    canSubscribe: canManageFiles(actor).allow,
    position: toPosition(row.position, row.video?.duration ?? null),
  }
}

/** The title of a video: its file name without the extension. */
const titleFromName = (name: string): string =>
  name
    .replace(/(?<=.)\.(?=\d?[a-z])[a-z0-9]{2,5}$/i, '')
    .replaceAll('_', ' ')
    .trim() || name

function playable(fileId: string) {
  return and(eq(file.id, fileId), inArray(file.kind, ['video', 'audio']), isNull(file.deletedAt))
}

type Row = typeof video.$inferSelect

function outputUrls(row: Row | null, base: string, kind: PlaybackView['kind']) {
  const soundUrl = row?.soundReady ? `${base}hls/sound/index.m3u8` : null
  const pictures = row?.renditions.some(({ ready }) => ready) ?? false
  return {
    hls: kind === 'audio' ? soundUrl : pictures ? `${base}hls/master.m3u8` : null,
    sound: kind === 'audio' ? null : soundUrl,
    poster: row && row.posters > 0 ? `${base}poster/${row.poster}.webp` : null,
    storyboard: row?.storyboard ? { src: `${base}storyboard.webp`, ...row.storyboard } : null,
    chapters: row?.chapters ?? [],
    duration: row?.duration ?? null,
    processing: row ? { state: row.state, progress: row.progress } : null,
  }
}

function originalSources(base: string, mime: string): PlaybackView['sources'] {
  const plain = PLAYABLE_ORIGINALS[mime]
  return plain ? [{ src: `${base}original.${plain.extension}`, type: plain.type }] : []
}

function toPosition(place: { seconds: number; at: Date } | null, duration: number | null): PlaybackView['position'] {
  return place && { seconds: resumePosition(place.seconds, duration), at: place.at.toISOString() }
}
