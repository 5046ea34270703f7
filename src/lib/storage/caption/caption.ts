import { and, asc, eq, sql } from 'drizzle-orm'
import { afterCommit, inTenant, type Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { log } from '#lib/core/log.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { CaptionLang } from '#lib/core/shared/stored-file.ts'
import type { Cue } from '#lib/core/shared/text/webvtt.ts'
import { contentVersion } from '../content-version.ts'
import { publishStorageEvent } from '../live.ts'
import { requireStorageAccess, requireStorageWrite } from '../permission.ts'
import type { CaptionRef, SaveCaption } from '../schema.ts'
import { caption } from '../table.ts'
import { countDerivedBytes } from '../upload/quota.ts'
import { derivedKey } from '../video/derived-key.ts'
import { loadVideoFile } from '../video/load-video.ts'
import { normalizeCaptions } from './normalize.ts'
import { readCaptions } from './webvtt.ts'
import type { NormalizedCaptions } from './worker.ts'

export interface CaptionView {
  lang: CaptionLang
  /** Generated and not edited yet. */
  auto: boolean
  updatedAt: Date
  version: number
  cues: Cue[]
}

/** The captions of a video by language. Refuses with forbidden, not_found. */
export async function listCaptions(actor: Actor, input: { fileId: string }) {
  requireStorageAccess(actor)
  const { fileId } = input
  return inTenant(actor, async (tx) => {
    await loadVideoFile(tx, fileId)
    return loadCaptions(tx, fileId)
  })
}

/** Language, size in bytes, end in seconds and time of a video's captions. Inside `inTenant`. */
export function loadCaptions(tx: Tx, fileId: string) {
  return tx
    .select({
      lang: caption.lang,
      auto: caption.auto,
      updatedAt: caption.updatedAt,
      bytes: sql<number>`octet_length(${caption.text})`,
      end: sql<number>`(select extract(epoch from max(stamp[1]::interval))::float8
        from regexp_matches(${caption.text}, ' --> ([0-9]+:[0-9]{2}:[0-9]{2}[.][0-9]{3})', 'g') stamp)`,
    })
    .from(caption)
    .where(eq(caption.fileId, fileId))
    .orderBy(asc(caption.lang))
}

/** The cues of one language. Refuses with forbidden, not_found. */
export async function getCaption(actor: Actor, input: CaptionRef): Promise<CaptionView> {
  requireStorageAccess(actor)
  const { fileId, lang } = input
  return inTenant(actor, async (tx) => {
    await loadVideoFile(tx, fileId)
    const row = await loadCaption(tx, fileId, lang)
    if (!row) throw new Refusal('not_found')
    const { auto, updatedAt, text } = row
    return { lang, auto, updatedAt, version: contentVersion(text), cues: parseCues(text) }
  })
}

type SavedCaption = { version: number } & Omit<NormalizedCaptions, 'written'>

/**
 * Saves the captions of a language from WebVTT or SubRip, based on `version` (0 when there were none). With
 * `skipInvalid` invalid captions are skipped and reported. Refuses with forbidden, plan_inactive, not_found, too_large
 * (1 MB), invalid with the line of the invalid caption, and conflict with the newer cues in `data`; the same captions
 * sent again succeed.
 */
export async function saveCaption(actor: Actor, input: SaveCaption): Promise<SavedCaption> {
  requireStorageWrite(actor)
  const { fileId, lang, text, version, skipInvalid } = input
  await inTenant(actor, (tx) => loadVideoFile(tx, fileId))
  const { written, ...report } = await normalizeCaptions(text, { skipInvalid })
  await inTenant(actor, async (tx) => {
    await loadVideoFile(tx, fileId, true)
    const before = await loadCaption(tx, fileId, lang)
    if (before?.text === written && !before.auto) return
    const current = before ? contentVersion(before.text) : 0
    if (version !== undefined && version !== current) {
      throw new Refusal('conflict', { data: { version: current, cues: before ? parseCues(before.text) : [] } })
    }
    await saveCaptionRow(tx, { tenantId: actor.tenantId, fileId, lang, text: written, auto: false })
  })
  return { version: contentVersion(written), ...report }
}

/**
 * Removes the captions of a language; without any, nothing happens. Refuses with forbidden, plan_inactive, not_found.
 */
export async function removeCaption(actor: Actor, input: CaptionRef): Promise<void> {
  requireStorageWrite(actor)
  const { fileId, lang } = input
  const { tenantId } = actor
  await inTenant(actor, async (tx) => {
    await loadVideoFile(tx, fileId, true)
    const [removed] = await tx
      .delete(caption)
      .where(and(eq(caption.fileId, fileId), eq(caption.lang, lang)))
      .returning({ text: caption.text })
    if (!removed) return
    await countDerivedBytes(tx, tenantId, -Buffer.byteLength(removed.text))
    await scheduleCaptionWrite({ tenantId, fileId, lang })
    await publishStorageEvent({ fileId, event: 'changed' })
  })
}

/**
 * Writes the row, counts its bytes and schedules the write of its object. The last statements of a transaction that has
 * locked the file.
 */
export async function saveCaptionRow(tx: Tx, row: Omit<typeof caption.$inferSelect, 'updatedAt'>): Promise<void> {
  const { tenantId, fileId, lang, text, auto } = row
  const before = await loadCaption(tx, fileId, lang)
  const updatedAt = new Date()
  await tx
    .insert(caption)
    .values({ ...row, updatedAt })
    .onConflictDoUpdate({
      target: [caption.tenantId, caption.fileId, caption.lang],
      set: { text, auto, updatedAt },
    })
  await countDerivedBytes(tx, tenantId, Buffer.byteLength(text) - (before ? Buffer.byteLength(before.text) : 0))
  await scheduleCaptionWrite({ tenantId, fileId, lang })
  await publishStorageEvent({ fileId, event: auto ? 'captionsGenerated' : 'changed' })
}

interface CaptionObject {
  tenantId: string
  fileId: string
  lang: CaptionLang
}

/**
 * Writes the object for players from the row. Idempotent. A lock per language prevents an older text from overwriting a
 * newer one.
 */
export async function writeCaptionObject({ tenantId, fileId, lang }: CaptionObject): Promise<void> {
  await inTenant({ tenantId }, async (tx) => {
    await lockUntilCommit(tx, 'caption', `${fileId} ${lang}`)
    // The deletion of the file waits until the object is written, and then removes it.
    const row = await loadCaption(tx, fileId, lang, true)
    const key = derivedKey(tenantId, fileId, `captions/${lang}.vtt`)
    if (row) await store.put(key, Buffer.from(row.text))
    else await store.remove(key)
  })
}

// Immediately, so that the player shows saved captions, and by a job in case the process or the store fails.
async function scheduleCaptionWrite(place: CaptionObject): Promise<void> {
  await enqueueJob('storage.writeCaption', { ...place }, { singletonKey: `${place.fileId} ${place.lang}` })
  afterCommit(() => writeCaptionObject(place).catch((err: unknown) => log.warn({ err }, 'Captions wait for their job')))
}

async function loadCaption(tx: Tx, fileId: string, lang: CaptionLang, isLocking = false) {
  const query = tx
    .select({ text: caption.text, auto: caption.auto, updatedAt: caption.updatedAt })
    .from(caption)
    .where(and(eq(caption.fileId, fileId), eq(caption.lang, lang)))
  const [row] = isLocking ? await query.for('share') : await query
  return row
}

// The stored text was written by formatWebvtt; it may have no cues.
const parseCues = (text: string): Cue[] => readCaptions(text)
