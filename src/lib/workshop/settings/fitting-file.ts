import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { findFile } from '#lib/storage/video/image.ts'

interface Chosen {
  coverFileId?: string | null | undefined
  slidesFileId?: string | null | undefined
}

/**
 * Lets pass files that an event can show. Refuses with not_found for what is not in the school's storage, and with
 * wrong_type for a cover that is no picture and slides that are no PDF.
 */
export async function mustFit(actor: Actor, { coverFileId, slidesFileId }: Chosen): Promise<void> {
  if (coverFileId) await mustBe(actor, 'coverFileId', coverFileId, ({ kind }) => kind === 'image')
  if (slidesFileId) await mustBe(actor, 'slidesFileId', slidesFileId, ({ mime }) => mime === 'application/pdf')
}

/** The same for one file, as a picture or as any file; the refusal names `field`. */
export async function mustBe(
  actor: Actor,
  field: string,
  fileId: string,
  fits: (file: { kind: string; mime: string }) => boolean = () => true,
): Promise<void> {
  const file = await findFile(actor, fileId)
  if (!fits(file))
    throw new Refusal('wrong_type', { fields: { [field]: ['file_type'] }, variables: { name: file.name } })
}
