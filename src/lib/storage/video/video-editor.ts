import { eq } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { loadCaptions } from '../caption/caption.ts'
import { contentVersion } from '../content-version.ts'
import { publishStorageEvent } from '../live.ts'
import { requireStorageAccess, requireStorageWrite } from '../permission.ts'
import type { SaveChapters, SaveTexts, VideoChapter } from '../schema.ts'
import { file, generation, video } from '../table.ts'
import { loadVideoFile } from './load-video.ts'

/** Everything that the video editor shows besides the player. Refuses with forbidden, not_found. */
export async function getVideoEditor(actor: Actor, input: { fileId: string }) {
  requireStorageAccess(actor)
  const { fileId } = input
  return inTenant(actor, async (tx) => {
    const videoFile = await loadVideoFile(tx, fileId)
    const { id, kind, name, description, duration, posters, poster, suggestedName, suggestedDescription } = videoFile
    const chapters = videoFile.chapters ?? []
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
      /** An AI service is configured. */
      machine: config.ai !== null,
    }
  })
}

/**
 * Saves the chapters based on `version`, ordered by time. Refuses with forbidden, plan_inactive, not_found, invalid for
 * two chapters at one time or one after the end, and conflict with the newer chapters in `data`.
 */
export async function saveChapters(actor: Actor, input: SaveChapters): Promise<{ version: number }> {
  requireStorageWrite(actor)
  const { fileId, version, ...values } = input
  const chapters = sortChapters(values.chapters)
  return inTenant(actor, async (tx) => {
    const videoFile = await loadVideoFile(tx, fileId, true)
    if (videoFile.chapters === null) throw new Refusal('not_ready')
    requireValidTimes(chapters, videoFile.duration)
    const [current, next] = [contentVersion(videoFile.chapters), contentVersion(chapters)]
    if (current === next) return { version: next }
    if (version !== undefined && version !== current) {
      throw new Refusal('conflict', { data: { version: current, chapters: videoFile.chapters } })
    }
    await tx.update(video).set({ chapters }).where(eq(video.fileId, fileId))
    await publishStorageEvent({ fileId, event: 'changed' })
    return { version: next }
  })
}

/**
 * Saves name and description based on `version`. Refuses with forbidden, plan_inactive, not_found, and conflict with
 * the newer texts in `data`.
 */
export async function saveTexts(actor: Actor, input: SaveTexts): Promise<{ version: number }> {
  requireStorageWrite(actor)
  const { fileId, name, description, version } = input
  return inTenant(actor, async (tx) => {
    const videoFile = await loadVideoFile(tx, fileId, true)
    const [current, next] = [
      contentVersion([videoFile.name, videoFile.description]),
      contentVersion([name, description]),
    ]
    if (current === next) return { version: next }
    if (version !== undefined && version !== current) {
      const { name: newerName, description: newerDescription } = videoFile
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

function sortChapters(chapters: VideoChapter[]): VideoChapter[] {
  return chapters.map(({ at, title }) => ({ at: Math.round(at * 1000) / 1000, title })).sort((a, b) => a.at - b.at)
}

// The duration is known in whole seconds only.
function requireValidTimes(chapters: VideoChapter[], duration: number | null): void {
  const hasDuplicate = chapters.some(({ at }, index) => at === chapters[index - 1]?.at)
  const isOutside = duration !== null && chapters.some(({ at }) => at >= duration)
  const fields = [...(hasDuplicate ? ['chapter_twice'] : []), ...(isOutside ? ['chapter_outside'] : [])]
  if (fields.length > 0) throw new Refusal('invalid', { fields: { chapters: fields } })
}
