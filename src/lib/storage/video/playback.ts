import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { dictionary } from '#lib/core/shared/dictionary.ts'
import { readMediaBase, signMediaBase } from '../media-base.ts'
import { canManageFiles, resumePosition } from '../rules.ts'
import { FileId, type PlaybackView } from '../schema.ts'
import { caption, file, playback, video } from '../table.ts'

/** Original formats that browsers play as they are, by what the content is, and how the media door calls them. */
const PLAYABLE_ORIGINALS = dictionary<{ extension: string; type: string }>({
  'video/mp4': { extension: 'mp4', type: 'video/mp4' },
  'video/x-m4v': { extension: 'mp4', type: 'video/mp4' },
  // Most of what telephones record: browsers look inside, but believe in this name of the same container only.
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

/** The part of an actor that decides here. A guest without a session is `viewer` ANYONE, and no member. */
export type PlaybackActor = Pick<Actor, 'tenantId' | 'viewer' | 'membershipId' | 'roles'>

/**
 * What a player needs to play a video or a sound for the actor. Whoever calls this has checked that the actor may see
 * the file; the addresses open for the actor's session only. Refuses with not_found: no such file in this school,
 * deleted, or nothing to play.
 */
export async function openPlayback(actor: PlaybackActor, fileId: string): Promise<PlaybackView> {
  if (!FileId.safeParse(fileId).success) throw new Refusal('not_found')
  return loadPlayback(actor, fileId)
}

/** The same for people who manage files, who may see every file of their school. Refuses with forbidden too. */
export async function getPlayback(actor: Actor, input: { fileId: string }): Promise<PlaybackView> {
  if (!canManageFiles(actor).allow) throw new Refusal('forbidden')
  return openPlayback(actor, input.fileId)
}

/**
 * A fresh view for the base of an old one, also when that has expired: whoever was let in may finish watching, for at
 * most 12 hours. Refuses with not_found for another viewer, another school, garbage, a base too old, a deleted file.
 */
export async function renewPlayback(actor: Actor, input: { base: string }): Promise<PlaybackView> {
  const known = readMediaBase(input.base, actor.viewer)
  if (!known || known.tenantId !== actor.tenantId) throw new Refusal('not_found')
  return loadPlayback(actor, known.fileId, known.issued)
}

/** Remembers where the actor stopped. Refuses with not_found where there is nothing to play. */
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

async function loadPlayback(actor: PlaybackActor, fileId: string, issued?: number): Promise<PlaybackView> {
  const { row, captions } = await inTenant(actor, async (tx) => {
    const mine = and(eq(playback.fileId, file.id), eq(playback.memberId, actor.membershipId))
    const [row] = await tx
      .select({ file, video, position: { seconds: playback.seconds, at: playback.updatedAt } })
      .from(file)
      .leftJoin(video, eq(video.fileId, file.id))
      .leftJoin(playback, mine)
      .where(playable(fileId))
    if (!row) throw new Refusal('not_found')
    const captions = await tx
      .select({ lang: caption.lang, at: caption.updatedAt })
      .from(caption)
      .where(eq(caption.fileId, fileId))
      .orderBy(caption.lang)
    return { row, captions }
  })
  const { base, expiresIn } = signMediaBase(actor, fileId, issued)
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
    // The door lets the browser keep what it gave: captions that were corrected have another address.
    captions: captions.map(({ lang, at }) => ({ lang, src: `${base}captions/${lang}.vtt?v=${at.getTime()}` })),
    width: row.file.width,
    height: row.file.height,
    canSubscribe: canManageFiles(actor).allow,
    position: toPosition(row.position, row.video?.duration ?? null),
  }
}

/** What a viewer reads of a film: the name of its file without the extension. */
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
    soundUrl: kind === 'audio' ? null : soundUrl,
    poster: row && row.posters > 0 ? `${base}poster/${row.poster}.webp` : null,
    storyboard: row?.storyboard ? { src: `${base}storyboard.webp`, ...row.storyboard } : null,
    chapters: row?.chapters ?? [],
    duration: row?.duration ?? null,
    making: row ? { state: row.state, progress: row.progress } : null,
  }
}

function originalSources(base: string, mime: string): PlaybackView['sources'] {
  const plain = PLAYABLE_ORIGINALS[mime]
  return plain ? [{ src: `${base}original.${plain.extension}`, type: plain.type }] : []
}

function toPosition(place: { seconds: number; at: Date } | null, duration: number | null): PlaybackView['position'] {
  return place && { seconds: resumePosition(place.seconds, duration), at: place.at.toISOString() }
}
