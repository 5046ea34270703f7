import type { Locale } from '#lib/core/shared/locale.ts'
import type { FileKind } from '#lib/core/shared/stored-file.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { Picture } from '#lib/storage/signed-url.ts'

/** A file of a text, ready to be opened by one viewer. */
export interface ShownFile {
  kind: FileKind
  name: string
  mime: string
  /** Bytes. */
  size: number
  /** Signed: to look at, and to keep. */
  open: string
  download: string
}

/** What a text needs beside itself to be shown to one person. */
export interface RenderContext {
  pictures: ReadonlyMap<string, Picture>
  /** All files of the text by id, pictures too; those deleted from the storage are not among them. */
  files: ReadonlyMap<string, ShownFile>
  t: Translate
  locale: Locale
}
