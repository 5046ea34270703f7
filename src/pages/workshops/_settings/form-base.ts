import type { WorkshopView } from '#lib/workshop/workshop.ts'
import { formText } from '../../_request/form-actions.ts'

/** Fields of an event with which its forms are rendered. */
export function eventFields(workshop: WorkshopView) {
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

/** Base version of a form; the domain function validates it. Undefined if the form has none. */
export function readFormBase(form: FormData) {
  try {
    return JSON.parse(formText(form, 'base') || 'null') ?? undefined
  } catch {
    return undefined
  }
}
