import { and, asc, eq, sql } from 'drizzle-orm'
import { afterCommit, inTenant, type Tx } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { log } from '#lib/core/log.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { CaptionLang } from '#lib/core/shared/storing.ts'
import type { Cue } from '#lib/core/shared/text/webvtt.ts'
import { versionOf } from '../content-version.ts'
import { announce } from '../live.ts'
import { mustChange, mustStore } from '../permission.ts'
import { OneCaption, OneFile, SaveCaption } from '../schema.ts'
import { caption } from '../table.ts'
import { countMade } from '../upload/quota.ts'
import { madeKey } from '../video/derived-key.ts'
import { loadFilm } from '../video/load-video.ts'
import { normalizeCaptions } from './normalize.ts'
import { readCaptions } from './webvtt.ts'
import type { NormalizedCaptions } from './worker.ts'

export interface CaptionView {
  lang: CaptionLang
  /** Made by a machine and not corrected yet. */
  auto: boolean
  updatedAt: Date
  version: number
  cues: Cue[]
}

/** The languages in which a video has captions. Refuses with forbidden, not_found. */
export async function listCaptions(actor: Actor, input: { fileId: string }) {
  mustStore(actor)
  const { fileId } = OneFile.parse(input)
  return inTenant(actor, async (tx) => {
    await loadFilm(tx, fileId)
    return captionsOf(tx, fileId)
  })
}

/** Languages, sizes in bytes, ends in seconds and times of a video's captions, inside `inTenant`. */
export function captionsOf(tx: Tx, fileId: string) {
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

/** The captions of one language, cue by cue. Refuses with forbidden, not_found. */
export async function getCaption(actor: Actor, input: OneCaption): Promise<CaptionView> {
  mustStore(actor)
  const { fileId, lang } = OneCaption.parse(input)
  return inTenant(actor, async (tx) => {
    await loadFilm(tx, fileId)
    const row = await loadCaption(tx, fileId, lang)
    if (!row) throw new Refusal('not_found')
    const { auto, updatedAt, text } = row
    return { lang, auto, updatedAt, version: versionOf(text), cues: cuesOf(text) }
  })
}

type SavedCaption = { version: number } & Omit<NormalizedCaptions, 'written'>

/**
 * Keeps the captions of a language, from WebVTT or SubRip, over the version they were written on (0 when there were
 * none). With `skipInvalid` captions that are invalid are left out and named. Refuses with forbidden, plan_inactive, not_found, too_large (1 MB), invalid with the line that is no caption,
 * and conflict with the newer cues in `data`; the same captions sent again are a success.
 */
export async function saveCaption(actor: Actor, input: SaveCaption): Promise<SavedCaption> {
  mustChange(actor)
  const { fileId, lang, text, version, skipInvalid } = SaveCaption.parse(input)
  await inTenant(actor, (tx) => loadFilm(tx, fileId))
  const { written, ...report } = await normalizeCaptions(text, { skipInvalid })
  await inTenant(actor, async (tx) => {
    await loadFilm(tx, fileId, true)
    const before = await loadCaption(tx, fileId, lang)
    if (before?.text === written && !before.auto) return
    const current = before ? versionOf(before.text) : 0
    if (version !== undefined && version !== current) {
      throw new Refusal('conflict', { data: { version: current, cues: before ? cuesOf(before.text) : [] } })
    }
    await keepCaption(tx, { tenantId: actor.tenantId, fileId, lang, text: written, auto: false })
  })
  return { version: versionOf(written), ...report }
}

/** Takes the captions of a language away; without any, nothing happens. Refuses with forbidden, plan_inactive, not_found. */
export async function removeCaption(actor: Actor, input: OneCaption): Promise<void> {
  mustChange(actor)
  const { fileId, lang } = OneCaption.parse(input)
  const { tenantId } = actor
  await inTenant(actor, async (tx) => {
    await loadFilm(tx, fileId, true)
    const [gone] = await tx
      .delete(caption)
      .where(and(eq(caption.fileId, fileId), eq(caption.lang, lang)))
      .returning({ text: caption.text })
    if (!gone) return
    await countMade(tx, tenantId, -Buffer.byteLength(gone.text))
    await placeSoon({ tenantId, fileId, lang })
    await announce({ fileId, event: 'changed' })
  })
}

/** Writes the row, counts its bytes and asks for its object. The last statements of a transaction that holds the file. */
export async function keepCaption(tx: Tx, row: Omit<typeof caption.$inferSelect, 'updatedAt'>): Promise<void> {
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
  await countMade(tx, tenantId, Buffer.byteLength(text) - (before ? Buffer.byteLength(before.text) : 0))
  await placeSoon({ tenantId, fileId, lang })
  await announce({ fileId, event: auto ? 'captionsGenerated' : 'changed' })
}

interface Place {
  tenantId: string
  fileId: string
  lang: CaptionLang
}

/**
 * Makes the object that players read say what the row says. Safe to run twice. One at a time for each, so that an older
 * text never comes to lie over a newer one.
 */
export async function placeCaption({ tenantId, fileId, lang }: Place): Promise<void> {
  await inTenant({ tenantId }, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`caption ${fileId} ${lang}`}, 0))`)
    // Whoever removes the file for good waits until the object lies there, and then finds it.
    const row = await loadCaption(tx, fileId, lang, true)
    const key = madeKey(tenantId, fileId, `captions/${lang}.vtt`)
    if (row) await store.put(key, Buffer.from(row.text))
    else await store.remove(key)
  })
}

// At once, so that whoever saved sees it in the player, and by a job in case the process or the store did not last so long.
async function placeSoon(place: Place): Promise<void> {
  await enqueueJob('storage.placeCaption', { ...place }, { singletonKey: `${place.fileId} ${place.lang}` })
  afterCommit(() => placeCaption(place).catch((err: unknown) => log.warn({ err }, 'Captions wait for their job')))
}

async function loadCaption(tx: Tx, fileId: string, lang: CaptionLang, hold = false) {
  const asked = tx
    .select({ text: caption.text, auto: caption.auto, updatedAt: caption.updatedAt })
    .from(caption)
    .where(and(eq(caption.fileId, fileId), eq(caption.lang, lang)))
  const [row] = hold ? await asked.for('share') : await asked
  return row
}

// What stands in the table was written by writeWebvtt; one whose cues were all emptied has none.
const cuesOf = (text: string): Cue[] => readCaptions(text)
