import type { WorkshopView } from '#lib/workshop/workshop.ts'
import { textOf } from '../../course/_transfer/posted.ts'

/** The facts of an event as its forms are filled from them. */
export function factsOf(workshop: WorkshopView) {
  const { title, description, coverFileId, language, startAt, timeZone } = workshop
  const { plannedMinutes, access, source, slidesFileId } = workshop
  return {
    title,
    description,
    coverFileId,
    language,
    startAt: startAt?.toISOString() ?? null,
    timeZone,
    plannedMinutes,
    access,
    source,
    slidesFileId,
  }
}

/** What a form was filled from; the room checks it. Undefined for a form that does not say it. */
export function baseIn(form: FormData) {
  try {
    return JSON.parse(textOf(form, 'base') || 'null') ?? undefined
  } catch {
    return undefined
  }
}
