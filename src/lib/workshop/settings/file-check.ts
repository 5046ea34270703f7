import type { Actor } from '#lib/core/shared/actor.ts'
import { requireFileOfType } from '#lib/storage/require-file.ts'

interface SelectedFiles {
  coverFileId?: string | null | undefined
  slidesFileId?: string | null | undefined
}

/**
 * Requires files that an event can show. Refuses with not_found for a file that is not in the tenant's storage, and
 * wrong_type for a cover that is no picture or slides that are no PDF.
 */
export async function requireFittingFiles(actor: Actor, { coverFileId, slidesFileId }: SelectedFiles): Promise<void> {
  if (coverFileId) await requireFileOfType(actor, 'coverFileId', coverFileId, ({ kind }) => kind === 'image')
  if (slidesFileId)
    await requireFileOfType(actor, 'slidesFileId', slidesFileId, ({ mime }) => mime === 'application/pdf')
}
