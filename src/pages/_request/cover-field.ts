import type { Actor } from '#lib/core/shared/actor.ts'
import { storeImage } from '#lib/storage/video/image.ts'
import { formText } from './form-actions.ts'

/**
 * The cover that a form with `CoverField` posts: an uploaded image, which is stored, before one chosen from the storage;
 * null when it is removed, and absent when the form does not contain it.
 */
export async function readCoverField(actor: Actor, form: FormData): Promise<{ coverFileId?: string | null }> {
  if (form.has('noCover')) return { coverFileId: null }
  const sent = form.get('cover')
  if (sent instanceof File && sent.size > 0) {
    const image = await storeImage(actor, { name: sent.name, bytes: new Uint8Array(await sent.arrayBuffer()) })
    return { coverFileId: image.fileId }
  }
  return form.has('coverFileId') ? { coverFileId: formText(form, 'coverFileId') || null } : {}
}
