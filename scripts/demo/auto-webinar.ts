import { makeFromWebinar } from '#lib/autowebinar/autowebinar.ts'
import { getPlan, savePlan } from '#lib/autowebinar/plan.ts'
import { MakeFromWebinar, Schedule } from '#lib/autowebinar/schema.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { publishWorkshop } from '#lib/workshop/settings/publish.ts'
import { createLongVideo } from './files/clips.ts'
import { keep } from './files/shelf.ts'
import type { PastWebinar } from './past-event.ts'

/**
 * Creates an automated webinar from a past webinar of the school, with sessions on weekdays and just in time. Its video
 * is generated: without ffmpeg there is none, and its sessions do not start.
 */
export async function repeatWebinar(owner: Actor, past: { workshopId: string }, webinar: PastWebinar): Promise<void> {
  const { workshopId } = await makeFromWebinar(owner, MakeFromWebinar.parse(past))
  const { version } = await getPlan(owner, { workshopId })
  const bytes = await createLongVideo(webinar.minutes)
  // The encoding of an hour would take two minutes of the processor after the first start.
  const about = { parentId: null, name: `${webinar.title}.mp4`, duration: webinar.minutes * 60 }
  await savePlan(owner, {
    workshopId,
    version,
    ...(bytes && { videoFileId: await keep(owner, { ...about, kind: 'video', mime: 'video/mp4', bytes }) }),
    mayPause: true,
    quietHours: { from: '22:00', to: '08:00' },
    schedule: Schedule.parse({
      zone: 'Europe/Kyiv',
      justInTime: 30,
      weekly: { days: [1, 2, 3, 4, 5], times: ['12:00', '19:00'] },
    }),
  })
  // Without the checks of automated webinars, which a school on a machine without ffmpeg would not pass.
  await publishWorkshop(owner, { workshopId })
}
