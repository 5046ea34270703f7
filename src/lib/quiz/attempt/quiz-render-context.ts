import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { loadRenderContext } from '#lib/course/lesson/load-render-context.ts'
import type { RenderContext } from '#lib/course/lesson/render-context.ts'

/**
 * Files of the texts of a test for a student: pictures and media show neither an id, which is ordered by the time of the
 * upload, nor the name of the file, which often tells the answer. Documents keep their names.
 */
export async function loadQuizRenderContext(
  tx: Tx,
  actor: Actor,
  doc: LessonDoc,
  locale: Locale,
): Promise<RenderContext> {
  const context = await loadRenderContext(tx, { ...actor, hidesIds: true }, doc, locale)
  const files = [...context.files].map(([id, file]) => {
    const { kind } = file
    if (kind !== 'image' && kind !== 'audio' && kind !== 'video') return [id, file] as const
    const name = context.t(`storage:kind.${kind}`)
    return [id, { ...file, name, open: withoutName(file.open), download: withoutName(file.download) }] as const
  })
  return { ...context, files: new Map(files) }
}

const withoutName = (url: string): string => url.replace(/\?name=[^&]*&?/, '?')
