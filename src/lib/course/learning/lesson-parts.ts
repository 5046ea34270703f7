import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { filesOf, type LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { usedBy } from '#lib/storage/file-use.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import type { Viewer } from '#lib/storage/signed-url.ts'
import { openPlaybackOfUsed, type PlaybackActor } from '#lib/storage/video/playback.ts'
import { createRenderContext, type ShownFileRow, selectShownFiles } from '../lesson/load-render-context.ts'
import { offeredTests } from '../lesson/offered-tests.ts'
import { type LessonPart, renderParts } from '../lesson/render.ts'
import type { ShownFile } from '../lesson/render-context.ts'
import { lesson } from '../table.ts'

/** Parts of a lesson's page in order; media include what the player needs. */
export type StudentLessonPart =
  | Exclude<LessonPart, { kind: 'media' }>
  | { kind: 'media'; fileId: string; view: PlaybackView }
export type Material = ShownFile & { fileId: string }

/** The files of a lesson, draft and published, and what players need for its media. */
interface LessonFiles {
  rows: ShownFileRow[]
  playbacks: Map<string, PlaybackView>
}

/**
 * Loads the files of a lesson without its text, so that it can run at the same time as the statement that reads the text.
 * The caller checks the permission before it uses them.
 */
export async function loadLessonFiles(tx: Tx, actor: PlaybackActor, lessonId: string): Promise<LessonFiles> {
  const user = { kind: 'lesson', id: lessonId } as const
  const [rows, playbacks] = await Promise.all([selectShownFiles(tx, usedBy(user)), openPlaybackOfUsed(actor, user)])
  return { rows, playbacks }
}

/** Parts of a lesson with addresses signed for the viewer, and the files to download. */
export function lessonParts(viewer: Viewer, doc: LessonDoc, { rows, playbacks }: LessonFiles, locale: Locale) {
  const ids = new Set(filesOf(doc))
  const shown = rows.filter(({ id }) => ids.has(id))
  const context = createRenderContext(viewer, shown, locale)
  const parts = renderParts(doc, context).flatMap((part): StudentLessonPart[] => {
    if (part.kind !== 'media') return [part]
    const view = playbacks.get(part.fileId)
    return view ? [{ ...part, view }] : []
  })
  const materials = [...context.files].filter(
    ([, { kind }]) => kind !== 'image' && kind !== 'video' && kind !== 'audio',
  )
  return { parts, materials: materials.map(([fileId, file]): Material => ({ ...file, fileId })) }
}

/**
 * Media shown in a published lesson, for a statement on `lesson`: `{ fileId: seconds | null }`. Files in the trash are
 * omitted.
 */
export const mediaInLesson = sql<Record<string, number | null>>`(
  select coalesce(jsonb_object_agg(f.id, v.duration), '{}') from file f
  left join video v on v.tenant_id = f.tenant_id and v.file_id = f.id
  where f.tenant_id = ${lesson.tenantId} and f.deleted_at is null and f.kind in ('video', 'audio') and f.id in (
    select (shown #>> '{}')::uuid from jsonb_path_query(${lesson.publishedBlocks},
      '$.content[*] ? (@.type == "video" || @.type == "audio" || @.type == "upload").attrs.fileId') shown))`

/** Whether the published lesson contains a test that students can take. */
export const hasTest = sql<boolean>`exists (select 1 from ${offeredTests(sql`${lesson.testIds}`, sql`${lesson.courseId}`)})`
