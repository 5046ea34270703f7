import { and, inArray, isNull, ne, type SQL } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { filesOf, type LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { originalUrl, pictureColumns, pictureFor, type Viewer } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { renderLesson } from './render.ts'
import type { RenderContext } from './render-context.ts'

/**
 * Files of a document with addresses signed for the actor: at most one statement, none for plain text. `locale` is the
 * language of the labels. The caller checks the permission.
 */
export async function loadRenderContext(
  tx: Tx,
  actor: Actor & Viewer,
  doc: LessonDoc,
  locale: Locale = actor.locale,
): Promise<RenderContext> {
  const ids = filesOf(doc)
  const rows = ids.length === 0 ? [] : await selectShownFiles(tx, inArray(file.id, ids))
  return createRenderContext(actor, rows, locale)
}

/** Labels and files, with addresses signed for the viewer. */
export function createRenderContext(viewer: Viewer, rows: readonly ShownFileRow[], locale: Locale): RenderContext {
  const images = rows.filter(({ kind }) => kind === 'image')
  return {
    pictures: new Map(images.map((row) => [row.id, pictureFor(viewer, row)])),
    files: new Map(
      rows.map((row) => {
        const { id, kind, name, mime, size } = row
        const download = originalUrl(viewer, row, { download: true })
        return [id, { kind, name, mime, size, open: originalUrl(viewer, row), download }]
      }),
    ),
    t: getTranslator(locale),
    locale,
  }
}

/**
 * Renders a document as HTML for the actor; media, tasks and tests are represented by their names. The caller checks
 * the permission.
 */
export function renderLessonFor(actor: Actor, doc: LessonDoc, locale: Locale): Promise<string> {
  return inTenant(actor, async (tx) => renderLesson(doc, await loadRenderContext(tx, actor, doc, locale)))
}

export type ShownFileRow = Awaited<ReturnType<typeof selectShownFiles>>[number]

/** Files that match a condition, with the fields that a document shows. Folders and deleted files are omitted. */
export function selectShownFiles(tx: Tx, condition: SQL) {
  return tx
    .select({ ...pictureColumns, kind: file.kind, name: file.name, size: file.size })
    .from(file)
    .where(and(condition, ne(file.kind, 'folder'), isNull(file.deletedAt)))
}
