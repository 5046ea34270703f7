import { and, inArray, isNull, ne } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { translator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { filesOf, type LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { originalAddress, pictureFor } from '#lib/storage/signed.ts'
import { file } from '#lib/storage/table.ts'
import type { Shown } from './lesson-files.ts'
import { pictureFields } from './pictures.ts'
import { renderLesson } from './render.ts'

/**
 * The files of a text with addresses signed for the actor, who may read it: at most one statement, none for plain text.
 * `locale` is the language of the few words that blocks say themselves.
 */
export async function filesShown(tx: Tx, actor: Actor, doc: LessonDoc, locale: Locale = actor.locale): Promise<Shown> {
  const ids = filesOf(doc)
  const rows = ids.length === 0 ? [] : await load(tx, ids)
  const images = rows.filter(({ kind }) => kind === 'image')
  return {
    pictures: new Map(images.map((row) => [row.id, pictureFor(actor, row)])),
    files: new Map(
      rows.map((row) => {
        const { id, kind, name, mime, size } = row
        const download = originalAddress(actor, row, { download: true })
        return [id, { kind, name, mime, size, open: originalAddress(actor, row), download }]
      }),
    ),
    t: translator(locale),
    locale,
  }
}

/** A whole text as HTML for the actor, who may read it: films, tasks and tests are named where they stand. */
export function showLesson(actor: Actor, doc: LessonDoc, locale: Locale): Promise<string> {
  return inTenant(actor, async (tx) => renderLesson(doc, await filesShown(tx, actor, doc, locale)))
}

function load(tx: Tx, ids: string[]) {
  return tx
    .select({ ...pictureFields, kind: file.kind, name: file.name, size: file.size })
    .from(file)
    .where(and(inArray(file.id, ids), ne(file.kind, 'folder'), isNull(file.deletedAt)))
}
