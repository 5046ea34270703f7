import { readDay, readInstant, readTime } from '#lib/core/http/form-date.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { localDay } from '#lib/core/shared/time-zone.ts'
import { removeBusyCalendar, saveBusyCalendar } from '#lib/mentoring/busy-calendar/busy-calendar.ts'
import { SaveBusyCalendar } from '#lib/mentoring/busy-calendar/schema.ts'
import { renewFeed, revokeFeed } from '#lib/schedule/feed/feed.ts'
import { moveScheduleItem, repeatWeekly } from '#lib/schedule/move/move.ts'
import { MoveScheduleItem, RepeatWeekly } from '#lib/schedule/move/schema.ts'
import { deleteScheduleNote, restoreScheduleNote, saveScheduleNote } from '#lib/schedule/note.ts'
import { saveSecondZone } from '#lib/schedule/reader.ts'
import { SaveScheduleNote, SaveSecondZone, ScheduleNoteId, type ScheduleRequest } from '#lib/schedule/schema.ts'
import { ShiftGroup, ShiftId } from '#lib/schedule/shift/schema.ts'
import { shiftGroup, undoShift } from '#lib/schedule/shift/shift.ts'
import { WorkingHours } from '#lib/schedule/working-hours/schema.ts'
import { saveWorkingHours } from '#lib/schedule/working-hours/working-hours.ts'
import { type FormActions, formText } from '../_request/form-actions.ts'
import { parseId } from '../_request/id-param.ts'
import { readItemKey, schedulePath } from './_schedule-query.ts'

/**
 * Form actions of the schedule; after them the calendar is shown at the changed day.
 * @param showFeed receives the address of a feed that was just created, which is shown once
 */
export function scheduleActions(
  actor: Actor,
  { searchParams }: URL,
  request: ScheduleRequest,
  showFeed: (href: string) => void = () => undefined,
): FormActions {
  const path = (changes: Record<string, string>) => schedulePath(request, changes)
  const key = readItemKey(searchParams)
  const move = async (form: FormData, notify: boolean) => {
    const [from, startAt] = [formText(form, 'from'), formText(form, 'startAt')]
    // The id of a session of an automated webinar contains its time.
    const keyId = key?.kind === 'autoWebinar' ? key.id.split('.')[0] : key?.id
    const id = formText(form, 'movedId') || keyId
    const reason = formText(form, 'reason')
    await moveScheduleItem(actor, MoveScheduleItem.parse({ kind: key?.kind, id, from, startAt, notify, reason }))
    const day = localDay(new Date(startAt), actor.timeZone)
    const itemId = key?.kind === 'autoWebinar' ? `${id}.${Date.parse(startAt)}` : key?.id
    return path({ date: day, saved: 'moved', day, item: `${key?.kind}:${itemId}`, was: from, now: startAt })
  }
  const shift = async (form: FormData, notify: boolean) => {
    const shiftId = formText(form, 'shiftId')
    const [from, days] = [searchParams.get('from') ?? '', Number(searchParams.get('days'))]
    const groupId = parseId(searchParams.get('group'))
    const day = readDay(searchParams, 'from', actor.timeZone) ?? from
    const { dates } = await shiftGroup(actor, ShiftGroup.parse({ groupId, from: day, days, notify, shiftId }))
    return path({ saved: 'shifted', count: String(dates), shift: shiftId, date: day })
  }
  return {
    saveScheduleNote: async (form) => {
      const minutes = formText(form, 'minutes').trim()
      const version = formText(form, 'version')
      const input = SaveScheduleNote.parse({
        noteId: formText(form, 'noteId'),
        title: formText(form, 'title'),
        text: formText(form, 'text'),
        startAt: readInstant(form, 'startAt', actor.timeZone) ?? undefined,
        minutes: minutes === '' ? null : Number(minutes),
        version: version === '' ? null : Number(version),
      })
      await saveScheduleNote(actor, input)
      return path({ date: localDay(new Date(input.startAt), actor.timeZone), saved: 'note', note: input.noteId })
    },
    deleteScheduleNote: async (form) => {
      const { noteId } = await deleteScheduleNote(actor, ScheduleNoteId.parse({ noteId: formText(form, 'noteId') }))
      return path({ saved: 'noteDeleted', note: noteId })
    },
    restoreScheduleNote: async (form) => {
      await restoreScheduleNote(actor, ScheduleNoteId.parse({ noteId: formText(form, 'noteId') }))
      return path({ saved: 'noteRestored' })
    },
    moveSilently: (form) => move(form, false),
    moveAndNotify: (form) => move(form, true),
    repeatWeekly: async (form) => {
      const input = { workshopId: key?.id, weeks: formText(form, 'weeks'), from: formText(form, 'from') }
      const { added } = await repeatWeekly(actor, RepeatWeekly.parse(input))
      return path({ saved: 'repeated', count: String(added) })
    },
    shiftSilently: (form) => shift(form, false),
    shiftAndNotify: (form) => shift(form, true),
    undoShift: async (form) => {
      await undoShift(actor, ShiftId.parse({ shiftId: formText(form, 'shiftId') }))
      return path({ saved: 'shiftUndone' })
    },
    saveSettings: async (form) => {
      const zone = formText(form, 'secondZone')
      await saveSecondZone(actor, SaveSecondZone.parse({ secondZone: zone === '' ? null : zone }))
      return path({ panel: 'settings', saved: 'settings' })
    },
    saveWorkingHours: async (form) => {
      const input = { from: readTime(form, 'from') ?? '', to: readTime(form, 'to') ?? '' }
      await saveWorkingHours(actor, WorkingHours.parse({ ...input, to: input.to === '00:00' ? '24:00' : input.to }))
      return path({ panel: 'settings', saved: 'workingHours' })
    },
    renewFeed: async () => {
      showFeed((await renewFeed(actor)).href)
      return null
    },
    saveBusyCalendar: async (form) => {
      await saveBusyCalendar(actor, SaveBusyCalendar.parse({ address: formText(form, 'address') }))
      return path({ panel: 'settings', saved: 'busyCalendar' })
    },
    removeBusyCalendar: async () => {
      await removeBusyCalendar(actor)
      return path({ panel: 'settings', saved: 'busyCalendarRemoved' })
    },
    revokeFeed: async () => {
      await revokeFeed(actor)
      return path({ panel: 'settings', saved: 'feedRevoked' })
    },
  }
}
