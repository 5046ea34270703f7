import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { MAX_IMAGE_BYTES } from '#lib/core/shared/stored-file.ts'
import type { BookingId } from '#lib/mentoring/booking/schema.ts'
import { importTargetedFile } from '#lib/storage/upload/import-file.ts'
import { appendAndPublish } from '../publish-events.ts'
import { findOrCreateRoom } from './room.ts'

/** The form of a page can contain a file of this size. */
export const MAX_SLIDES_BYTES = MAX_IMAGE_BYTES

/**
 * Shows slides in the room of a session while it is open: a PDF that its mentor has posted, which becomes a file of the
 * mentor in the storage. Refuses with not_found (the booking of others), forbidden (not its mentor), plan_inactive,
 * unprocessable (room_not_open, storage_full), too_large, wrong_type (slides_not_pdf, and for what is no such file).
 */
export async function showSessionSlides(
  actor: Actor,
  { bookingId, path, name }: BookingId & { path: string; name: string },
  now = new Date(),
): Promise<void> {
  requirePlan(actor, 'lms')
  const findRoom = () =>
    inTenant(actor, async (tx) => {
      const room = await findOrCreateRoom(tx, actor, bookingId, now)
      if (!room.isMentor) throw new Refusal('forbidden')
      return room
    })
  await findRoom()
  // The content of the file is examined too: it has to be of the type that its name states.
  if (!/\.pdf$/i.test(name)) throw new Refusal('wrong_type', { fields: { file: ['slides_not_pdf'] } })
  const { fileId } = await importTargetedFile(
    actor,
    { path, name },
    { area: 'storage', maxBytes: MAX_SLIDES_BYTES, accept: async () => {} },
  )
  await inTenant(actor, async (tx) => {
    // The room may have ended in the meantime.
    const { sessionId } = await findRoom()
    await appendAndPublish(tx, { tenantId: actor.tenantId, sessionId }, [
      { type: 'slide.change', payload: { fileId, page: 1 } },
      { type: 'presentation.change', payload: { mode: 'presentationAndBroadcast' } },
    ])
  })
}
