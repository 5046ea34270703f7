import { z } from 'zod'
import { buildAutoView, controlClock } from '#lib/autowebinar/auto-view.ts'
import { AutoView } from '#lib/autowebinar/output-schema.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { publicProcedure } from '#lib/core/http/api/procedure.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { type RoomParticipant, requireSeat } from './admission/seat.ts'
import { Seat } from './room-schema.ts'

const ControlClock = Seat.extend({ action: z.enum(['restart', 'pause', 'resume']) })

/** Procedures of an auto-webinar session: its state and the viewer's own clock. */
export const autoCalls = {
  getAuto: publicProcedure
    .route({ summary: 'Returns the state of an automatic session for its viewer' })
    .input(Seat)
    .output(AutoView)
    .handler(async ({ input }) => readAutoView(await requireSeat(input.seatToken))),
  clockAuto: publicProcedure
    .route({ summary: 'Pauses, resumes or restarts an automatic session of its viewer' })
    .input(ControlClock)
    .output(AutoView)
    .handler(async ({ input }) => {
      const participant = await requireSeat(input.seatToken)
      return inTenant(participant, async (tx) => {
        const { tenantId, sessionId, personId } = participant
        await controlClock(tx, { tenantId, id: sessionId }, personId, input.action, new Date())
        return readAutoView(participant)
      })
    }),
}

function readAutoView({
  tenantId,
  sessionId,
  workshopId,
  personId,
  session,
}: RoomParticipant): Promise<z.infer<typeof AutoView>> {
  const { kind, startAt, state } = session
  return inTenant({ tenantId }, async (tx) => {
    const autoSession = { tenantId, id: sessionId, workshopId, startAt, state }
    const view = kind === 'auto' ? await buildAutoView(tx, autoSession, { personId }, new Date()) : null
    if (!view) throw new Refusal('not_found')
    return view
  })
}
