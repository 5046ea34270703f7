import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { findFile } from '#lib/storage/video/image.ts'

interface SelectedFiles {
  coverFileId?: string | null | undefined
  slidesFileId?: string | null | undefined
}

/**
 * Lets pass files that an event can show. Refuses with not_found for what is not in the school's storage, and with
 * wrong_type for a cover that is no picture and slides that are no PDF.
 */
export async function requireFittingFiles(actor: Actor, { coverFileId, slidesFileId }: SelectedFiles): Promise<void> {
  if (coverFileId) await requireFileType(actor, 'coverFileId', coverFileId, ({ kind }) => kind === 'image')
  if (slidesFileId) await requireFileType(actor, 'slidesFileId', slidesFileId, ({ mime }) => mime === 'application/pdf')
}

/** The same for one file, as a picture or as any file; the refusal names `field`. */
export async function requireFileType(
  actor: Actor,
  field: string,
  fileId: string,
  fits: (file: { kind: string; mime: string }) => boolean = () => true,
): Promise<void> {
  const file = await findFile(actor, fileId)
  if (!fits(file))
    throw new Refusal('wrong_type', { fields: { [field]: ['file_type'] }, variables: { name: file.name } })
}
