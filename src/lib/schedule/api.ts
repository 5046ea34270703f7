import { NoInput, NoOutput, noOutput, procedureForRoles, signedInProcedure } from '#lib/core/http/api/procedure.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { getBusyCalendar, removeBusyCalendar, saveBusyCalendar } from '#lib/mentoring/busy-calendar/busy-calendar.ts'
import { SaveBusyCalendar } from '#lib/mentoring/busy-calendar/schema.ts'
import { renewFeed, revokeFeed } from './feed/feed.ts'
import { loadScheduleOptions } from './filters.ts'
import { moveScheduleItem, previewMove, repeatWeekly } from './move/move.ts'
import { MovePreviewQuery, MoveScheduleItem, RepeatWeekly } from './move/schema.ts'
import { deleteScheduleNote, getScheduleNote, restoreScheduleNote, saveScheduleNote } from './note.ts'
import * as output from './output-schema.ts'
import { getScheduleReader, saveSecondZone } from './reader.ts'
import { getScheduleItem, loadSchedule } from './schedule.ts'
import * as schema from './schema.ts'
import { ShiftGroup, ShiftId, ShiftPreviewQuery } from './shift/schema.ts'
import { previewShift, shiftGroup, undoShift } from './shift/shift.ts'
import { WorkingHours } from './working-hours/schema.ts'
import { getWorkingHours, saveWorkingHours } from './working-hours/working-hours.ts'

const staff = procedureForRoles(...ROLES.filter((role) => role !== 'STUDENT'))
const managers = procedureForRoles('OWNER', 'DIRECTOR')
const writers = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of the schedule. */
export const schedule = {
  get: signedInProcedure
    .route({ summary: 'Returns the items of a month, a week, a day or an agenda by day' })
    .input(schema.ScheduleRequest)
    .output(output.ScheduleOutput)
    .handler(({ input, context }) => loadSchedule(context.actor, input)),
  getItem: signedInProcedure
    .route({ summary: 'Returns one item of a day' })
    .input(schema.ScheduleItemKey)
    .output(output.ScheduleItemOutput)
    .handler(({ input, context }) => getScheduleItem(context.actor, input)),
  listFilterOptions: signedInProcedure
    .route({ summary: 'Returns the courses, groups and people by which the schedule can be filtered' })
    .input(NoInput)
    .output(output.ScheduleFilterOptions)
    .handler(({ context }) => loadScheduleOptions(context.actor)),
  getMovePreview: signedInProcedure
    .route({ summary: 'Returns whom a move of an item concerns and what it conflicts with' })
    .input(MovePreviewQuery)
    .output(output.MovePreviewOutput)
    .handler(({ input: { startAt, ...key }, context }) =>
      previewMove(context.actor, { key, startAt: new Date(startAt) }),
    ),
  moveItem: signedInProcedure
    .route({ summary: 'Moves an event, a session with a mentor, a date of a course or an own note' })
    .input(MoveScheduleItem)
    .output(output.MovedOutput)
    .handler(({ input, context }) => moveScheduleItem(context.actor, input)),
  repeatWeekly: writers
    .route({ summary: 'Adds weekly copies of an event as drafts' })
    .input(RepeatWeekly)
    .output(output.RepeatedOutput)
    .handler(({ input, context }) => repeatWeekly(context.actor, input)),
  getShiftPreview: writers
    .route({ summary: 'Returns the dates that a shift of the schedule of a group would move' })
    .input(ShiftPreviewQuery)
    .output(output.ShiftPreviewOutput)
    .handler(async ({ input: { groupId, ...shift }, context }) => {
      const { plan } = await previewShift(context.actor, { groupId, shift })
      return { dates: plan?.dates ?? [], people: plan?.people ?? 0 }
    }),
  shiftGroup: writers
    .route({ summary: 'Shifts everything of a study group from a day on by a number of days' })
    .input(ShiftGroup)
    .output(output.ShiftedOutput)
    .handler(({ input, context }) => shiftGroup(context.actor, input)),
  undoShift: writers
    .route({ summary: 'Undoes a shift of a study group' })
    .input(ShiftId)
    .output(output.ShiftOutput)
    .handler(({ input, context }) => undoShift(context.actor, input)),
  getNote: signedInProcedure
    .route({ summary: 'Returns an own note' })
    .input(schema.ScheduleNoteId)
    .output(output.NoteOutput)
    .handler(({ input, context }) => getScheduleNote(context.actor, input)),
  saveNote: signedInProcedure
    .route({ summary: 'Adds or changes an own note; the same id again is the same note' })
    .input(schema.SaveScheduleNote)
    .output(schema.ScheduleNoteId)
    .handler(({ input, context }) => saveScheduleNote(context.actor, input)),
  deleteNote: signedInProcedure
    .route({ summary: 'Deletes an own note' })
    .input(schema.ScheduleNoteId)
    .output(schema.ScheduleNoteId)
    .handler(({ input, context }) => deleteScheduleNote(context.actor, input)),
  restoreNote: signedInProcedure
    .route({ summary: 'Restores a deleted note' })
    .input(schema.ScheduleNoteId)
    .output(schema.ScheduleNoteId)
    .handler(({ input, context }) => restoreScheduleNote(context.actor, input)),
  getReader: signedInProcedure
    .route({ summary: 'Returns the settings of the actor for the schedule' })
    .input(NoInput)
    .output(output.ScheduleReaderOutput)
    .handler(({ context }) => getScheduleReader(context.actor)),
  saveSecondZone: signedInProcedure
    .route({ summary: 'Sets the second time zone in which the schedule shows times' })
    .input(schema.SaveSecondZone)
    .output(schema.SaveSecondZone)
    .handler(({ input, context }) => saveSecondZone(context.actor, input)),
  getWorkingHours: staff
    .route({ summary: 'Returns the working hours of the school' })
    .input(NoInput)
    .output(WorkingHours)
    .handler(({ context }) => getWorkingHours(context.actor)),
  saveWorkingHours: managers
    .route({ summary: 'Sets the working hours of the school' })
    .input(WorkingHours)
    .output(WorkingHours)
    .handler(({ input, context }) => saveWorkingHours(context.actor, input)),
  getBusyCalendar: staff
    .route({ summary: 'Returns the calendar of another program whose events make the actor busy' })
    .input(NoInput)
    .output(output.BusyCalendarOutput)
    .handler(async ({ context }) => ({ calendar: await getBusyCalendar(context.actor) })),
  saveBusyCalendar: staff
    .route({ summary: 'Sets the address of that calendar; it is read by a job' })
    .input(SaveBusyCalendar)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await saveBusyCalendar(context.actor, input)
      return noOutput()
    }),
  removeBusyCalendar: staff
    .route({ summary: 'Deletes that calendar with all its busy times' })
    .input(NoInput)
    .output(NoOutput)
    .handler(async ({ context }) => {
      await removeBusyCalendar(context.actor)
      return noOutput()
    }),
  renewFeed: signedInProcedure
    .route({ summary: 'Creates a new address of the calendar feed of the actor; the previous one ends' })
    .input(NoInput)
    .output(output.FeedOutput)
    .handler(({ context }) => renewFeed(context.actor)),
  revokeFeed: signedInProcedure
    .route({ summary: 'Ends the calendar feed of the actor' })
    .input(NoInput)
    .output(output.RevokedOutput)
    .handler(({ context }) => revokeFeed(context.actor)),
}
