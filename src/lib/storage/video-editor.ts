import { eq } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { loadCaptions } from './caption/caption.ts'
import { contentVersion } from './content-version.ts'
import { publishStorageEvent } from './live.ts'
import { requireStorageAccess, requireStorageWrite } from './permission.ts'
import { type Chapter, FileRef, SaveChapters, SaveTexts } from './schema.ts'
import { file, generation, video } from './table.ts'
import { loadVideoFile } from './video/load-video.ts'

/** All that the desk of a video shows besides the player. Refuses with forbidden, not_found. */
export async function getVideoEditor(actor: Actor, input: { fileId: string }) {
  requireStorageAccess(actor)
  const { fileId } = FileRef.parse(input)
  return inTenant(actor, async (tx) => {
    const film = await loadVideoFile(tx, fileId)
    const { id, kind, name, description, duration, posters, poster, suggestedName, suggestedDescription } = film
    const chapters = film.chapters ?? []
    return {
      id,
      kind,
      name,
      description,
      duration,
      textsVersion: contentVersion([name, description]),
      chapters,
      chaptersVersion: contentVersion(chapters),
      posters: posters ?? 0,
      poster: poster ?? 0,
      captions: await loadCaptions(tx, fileId),
      suggestion:
        suggestedName || suggestedDescription ? { name: suggestedName, description: suggestedDescription } : null,
      generations: await loadGenerations(tx, fileId),
      /** Whether a machine can be asked at all. */
      machine: config.ai !== null,
    }
  })
}
export type VideoEditorView = Awaited<ReturnType<typeof getVideoEditor>>

/**
 * Sets the chapters over the version they were written on, in the order of their times. Refuses with forbidden,
 * plan_inactive, not_found, invalid for two at one time or one behind the end, and conflict with the newer ones in `data`.
 */
export async function saveChapters(actor: Actor, input: SaveChapters): Promise<{ version: number }> {
  requireStorageWrite(actor)
  const { fileId, version, ...values } = SaveChapters.parse(input)
  const chapters = sortChapters(values.chapters)
  return inTenant(actor, async (tx) => {
    const film = await loadVideoFile(tx, fileId, true)
    if (film.chapters === null) throw new Refusal('not_ready')
    requireValidTimes(chapters, film.duration)
    const [current, next] = [contentVersion(film.chapters), contentVersion(chapters)]
    if (current === next) return { version: next }
    if (version !== undefined && version !== current) {
      throw new Refusal('conflict', { data: { version: current, chapters: film.chapters } })
    }
    await tx.update(video).set({ chapters }).where(eq(video.fileId, fileId))
    await publishStorageEvent({ fileId, event: 'changed' })
    return { version: next }
  })
}

/**
 * Sets name and description over the version they were written on. Refuses with forbidden, plan_inactive, not_found, and
 * conflict with the newer words in `data`.
 */
export async function saveTexts(actor: Actor, input: SaveTexts): Promise<{ version: number }> {
  requireStorageWrite(actor)
  const { fileId, name, description, version } = SaveTexts.parse(input)
  return inTenant(actor, async (tx) => {
    const film = await loadVideoFile(tx, fileId, true)
    const [current, next] = [contentVersion([film.name, film.description]), contentVersion([name, description])]
    if (current === next) return { version: next }
    if (version !== undefined && version !== current) {
      const { name: newerName, description: newerDescription } = film
      throw new Refusal('conflict', { data: { version: current, name: newerName, description: newerDescription } })
    }
    await tx.update(file).set({ name, description, updatedAt: new Date() }).where(eq(file.id, fileId))
    await publishStorageEvent({ fileId, event: 'changed' })
    return { version: next }
  })
}

function loadGenerations(tx: Tx, fileId: string) {
  return tx
    .select({
      kind: generation.kind,
      lang: generation.lang,
      state: generation.state,
      failure: generation.failure,
      progress: generation.progress,
    })
    .from(generation)
    .where(eq(generation.fileId, fileId))
}

function sortChapters(chapters: Chapter[]): Chapter[] {
  return chapters.map(({ at, title }) => ({ at: Math.round(at * 1000) / 1000, title })).sort((a, b) => a.at - b.at)
}

// The length is known in whole seconds only.
function requireValidTimes(chapters: Chapter[], duration: number | null): void {
  const hasDuplicate = chapters.some(({ at }, index) => at === chapters[index - 1]?.at)
  const isOutside = duration !== null && chapters.some(({ at }) => at >= duration)
  const fields = [...(hasDuplicate ? ['chapter_twice'] : []), ...(isOutside ? ['chapter_outside'] : [])]
  if (fields.length > 0) throw new Refusal('invalid', { fields: { chapters: fields } })
}
