import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { findFile } from './video/image.ts'

/**
 * Requires a file of the tenant's storage that fulfills a condition. Refuses with not_found, and with wrong_type, whose
 * refusal names `field`.
 */
export async function requireFileOfType(
  actor: Actor,
  field: string,
  fileId: string,
  fits: (file: { kind: string; mime: string }) => boolean = () => true,
): Promise<void> {
  const file = await findFile(actor, fileId)
  if (!fits(file))
    throw new Refusal('wrong_type', { fields: { [field]: ['file_type'] }, variables: { name: file.name } })
}
