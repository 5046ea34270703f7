import { z } from 'zod'
import { buildAutoView, controlClock } from '#lib/autowebinar/auto-view.ts'
import type { AutoView } from '#lib/autowebinar/auto-view-schema.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { publicProcedure } from '#lib/core/http/api/procedure.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { type RoomParticipant, requireSeat } from './admission/seat.ts'
import { Seat } from './room-schema.ts'

const ControlClock = Seat.extend({ what: z.enum(['restart', 'pause', 'resume']) })

/** What a showing of an auto-webinar asks for beside the room: where it stands, and one's own clock. */
export const autoCalls = {
  getAuto: publicProcedure.input(Seat).handler(async ({ input }) => readAutoView(await requireSeat(input.ticket))),
  clockAuto: publicProcedure.input(ControlClock).handler(async ({ input }) => {
    const sitting = await requireSeat(input.ticket)
    return inTenant(sitting, async (tx) => {
      const { tenantId, sessionId, personId } = sitting
      await controlClock(tx, { tenantId, id: sessionId }, personId, input.what, new Date())
      return readAutoView(sitting)
    })
  }),
}

function readAutoView({ tenantId, sessionId, workshopId, personId, session }: RoomParticipant): Promise<AutoView> {
  const { kind, startAt, state } = session
  return inTenant({ tenantId }, async (tx) => {
    const shown = { tenantId, id: sessionId, workshopId, startAt, state }
    const view = kind === 'auto' ? await buildAutoView(tx, shown, { personId }, new Date()) : null
    if (!view) throw new Refusal('not_found')
    return view
  })
}
