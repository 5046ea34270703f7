import { z } from 'zod'
import { clockFilm, playOf } from '#lib/autowebinar/play.ts'
import type { AutoView } from '#lib/autowebinar/play-schema.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { open } from '#lib/core/http/api/procedure.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { mustSit, type Sitting } from './admission/seat.ts'
import { Seat } from './room-schema.ts'

const ClockAuto = Seat.extend({ what: z.enum(['restart', 'pause', 'resume']) })

/** What a showing of an auto-webinar asks for beside the room: where it stands, and one's own clock. */
export const autoCalls = {
  getAuto: open.input(Seat).handler(async ({ input }) => viewOf(await mustSit(input.ticket))),
  clockAuto: open.input(ClockAuto).handler(async ({ input }) => {
    const sitting = await mustSit(input.ticket)
    return inTenant(sitting, async (tx) => {
      const { tenantId, sessionId, personId } = sitting
      await clockFilm(tx, { tenantId, id: sessionId }, personId, input.what, new Date())
      return viewOf(sitting)
    })
  }),
}

function viewOf({ tenantId, sessionId, workshopId, personId, session }: Sitting): Promise<AutoView> {
  const { kind, startAt, state } = session
  return inTenant({ tenantId }, async (tx) => {
    const shown = { tenantId, id: sessionId, workshopId, startAt, state }
    const view = kind === 'auto' ? await playOf(tx, shown, { personId }, new Date()) : null
    if (!view) throw new Refusal('not_found')
    return view
  })
}
