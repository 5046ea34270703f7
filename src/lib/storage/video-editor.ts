import { eq } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { captionsOf } from './caption/caption.ts'
import { versionOf } from './content-version.ts'
import { announce } from './live.ts'
import { mustChange, mustStore } from './permission.ts'
import { type Chapter, OneFile, SaveChapters, SaveTexts } from './schema.ts'
import { file, generation, video } from './table.ts'
import { loadFilm } from './video/load-video.ts'

/** All that the desk of a video shows besides the player. Refuses with forbidden, not_found. */
export async function getDesk(actor: Actor, input: { fileId: string }) {
  mustStore(actor)
  const { fileId } = OneFile.parse(input)
  return inTenant(actor, async (tx) => {
    const film = await loadFilm(tx, fileId)
    const { id, kind, name, description, duration, posters, poster, suggestedName, suggestedDescription } = film
    const chapters = film.chapters ?? []
    return {
      id,
      kind,
      name,
      description,
      duration,
      textsVersion: versionOf([name, description]),
      chapters,
      chaptersVersion: versionOf(chapters),
      posters: posters ?? 0,
      poster: poster ?? 0,
      captions: await captionsOf(tx, fileId),
      suggestion:
        suggestedName || suggestedDescription ? { name: suggestedName, description: suggestedDescription } : null,
      generations: await generationsOf(tx, fileId),
      /** Whether a machine can be asked at all. */
      machine: config.ai !== null,
    }
  })
}
export type Desk = Awaited<ReturnType<typeof getDesk>>

/**
 * Sets the chapters over the version they were written on, in the order of their times. Refuses with forbidden,
 * plan_inactive, not_found, invalid for two at one time or one behind the end, and conflict with the newer ones in `data`.
 */
export async function saveChapters(actor: Actor, input: SaveChapters): Promise<{ version: number }> {
  mustChange(actor)
  const { fileId, version, ...asked } = SaveChapters.parse(input)
  const chapters = inOrder(asked.chapters)
  return inTenant(actor, async (tx) => {
    const film = await loadFilm(tx, fileId, true)
    if (film.chapters === null) throw new Refusal('not_ready')
    requireInside(chapters, film.duration)
    const [current, next] = [versionOf(film.chapters), versionOf(chapters)]
    if (current === next) return { version: next }
    if (version !== undefined && version !== current) {
      throw new Refusal('conflict', { data: { version: current, chapters: film.chapters } })
    }
    await tx.update(video).set({ chapters }).where(eq(video.fileId, fileId))
    await announce({ fileId, event: 'changed' })
    return { version: next }
  })
}

/**
 * Sets name and description over the version they were written on. Refuses with forbidden, plan_inactive, not_found, and
 * conflict with the newer words in `data`.
 */
export async function saveTexts(actor: Actor, input: SaveTexts): Promise<{ version: number }> {
  mustChange(actor)
  const { fileId, name, description, version } = SaveTexts.parse(input)
  return inTenant(actor, async (tx) => {
    const film = await loadFilm(tx, fileId, true)
    const [current, next] = [versionOf([film.name, film.description]), versionOf([name, description])]
    if (current === next) return { version: next }
    if (version !== undefined && version !== current) {
      const { name: newerName, description: newerDescription } = film
      throw new Refusal('conflict', { data: { version: current, name: newerName, description: newerDescription } })
    }
    await tx.update(file).set({ name, description, updatedAt: new Date() }).where(eq(file.id, fileId))
    await announce({ fileId, event: 'changed' })
    return { version: next }
  })
}

function generationsOf(tx: Tx, fileId: string) {
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

function inOrder(chapters: Chapter[]): Chapter[] {
  return chapters.map(({ at, title }) => ({ at: Math.round(at * 1000) / 1000, title })).sort((a, b) => a.at - b.at)
}

// The length is known in whole seconds only.
function requireInside(chapters: Chapter[], duration: number | null): void {
  const twice = chapters.some(({ at }, index) => at === chapters[index - 1]?.at)
  const late = duration !== null && chapters.some(({ at }) => at >= duration)
  const fields = [...(twice ? ['chapter_twice'] : []), ...(late ? ['chapter_outside'] : [])]
  if (fields.length > 0) throw new Refusal('invalid', { fields: { chapters: fields } })
}
