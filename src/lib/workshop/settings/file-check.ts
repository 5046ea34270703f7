import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { findFile } from '#lib/storage/video/image.ts'

interface SelectedFiles {
  coverFileId?: string | null | undefined
  slidesFileId?: string | null | undefined
}

/**
 * Requires files that an event can show. Refuses with not_found for a file that is not in the tenant's storage, and
 * wrong_type for a cover that is no picture or slides that are no PDF.
 */
export async function requireFittingFiles(actor: Actor, { coverFileId, slidesFileId }: SelectedFiles): Promise<void> {
  if (coverFileId) await requireFileType(actor, 'coverFileId', coverFileId, ({ kind }) => kind === 'image')
  if (slidesFileId) await requireFileType(actor, 'slidesFileId', slidesFileId, ({ mime }) => mime === 'application/pdf')
}

/** The same for one file and a condition; the refusal names `field`. */
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
