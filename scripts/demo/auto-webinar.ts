import { makeFromWebinar } from '#lib/autowebinar/autowebinar.ts'
import { getPlan, savePlan } from '#lib/autowebinar/plan.ts'
import { MakeFromWebinar, Schedule } from '#lib/autowebinar/schema.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { publishWorkshop } from '#lib/workshop/settings/publish.ts'

/** Creates an automated webinar from a past webinar of the school, with sessions on weekdays and just in time. */
export async function repeatWebinar(owner: Actor, past: { workshopId: string }): Promise<void> {
  const { workshopId } = await makeFromWebinar(owner, MakeFromWebinar.parse(past))
  const { version } = await getPlan(owner, { workshopId })
  await savePlan(owner, {
    workshopId,
    version,
    mayPause: true,
    quietHours: { from: '22:00', to: '08:00' },
    schedule: Schedule.parse({
      zone: 'Europe/Kyiv',
      justInTime: 30,
      weekly: { days: [1, 2, 3, 4, 5], times: ['12:00', '19:00'] },
    }),
  })
  // Without the checks of automated webinars: the past webinars of the demo school have no recording.
  await publishWorkshop(owner, { workshopId })
}
