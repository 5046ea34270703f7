import type { Locale } from '#lib/core/shared/locale.ts'
import type { FileKind } from '#lib/core/shared/stored-file.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { Picture } from '#lib/storage/signed-url.ts'

/** A file of a document with addresses for one viewer. */
export interface ShownFile {
  kind: FileKind
  name: string
  mime: string
  /** Bytes. */
  size: number
  /** Signed addresses: `open` displays the file, `download` saves it. */
  open: string
  download: string
}

/** Files and labels that a document needs to be rendered for one person. */
export interface RenderContext {
  pictures: ReadonlyMap<string, Picture>
  /** All files of the document by id, including images; deleted files are omitted. */
  files: ReadonlyMap<string, ShownFile>
  t: Translate
  locale: Locale
}
