import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { listAttendance, markAttendance } from './attendance.ts'
import { addMeeting, listLinkableEvents, listMeetings, removeMeeting } from './meeting.ts'
import { AttendancePage, LinkableEvents, Meetings } from './output-schema.ts'
import { GroupMeetingId, GroupMeetings, ListAttendance, MarkAttendance } from './schema.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')

/** Procedures of the meetings of study groups. */
export const attendance = {
  listMeetings: staff
    .route({ summary: 'Returns the meetings of a study group with the number of members who attended' })
    .input(GroupMeetings)
    .output(Meetings)
    .handler(({ input, context }) => listMeetings(context.actor, input)),
  listLinkableEvents: staff
    .route({ summary: 'Returns the events that can become meetings of a study group' })
    .input(GroupMeetings)
    .output(LinkableEvents)
    .handler(({ input, context }) => listLinkableEvents(context.actor, input)),
  addMeeting: staff
    .route({ summary: 'Makes an event a meeting of a study group' })
    .input(GroupMeetingId)
    .output(GroupMeetingId)
    .handler(({ input, context }) => addMeeting(context.actor, input)),
  removeMeeting: staff
    .route({ summary: 'Takes a meeting from a study group; the event stays' })
    .input(GroupMeetingId)
    .output(GroupMeetingId)
    .handler(({ input, context }) => removeMeeting(context.actor, input)),
  list: staff
    .route({ summary: 'Returns a page of the attendance of a study group at its meetings' })
    .input(ListAttendance)
    .output(AttendancePage)
    .handler(({ input, context }) => listAttendance(context.actor, input)),
  mark: staff
    .route({ summary: 'Marks whether a member of a study group attended a meeting' })
    .input(MarkAttendance)
    .output(MarkAttendance)
    .handler(({ input, context }) => markAttendance(context.actor, input)),
}
