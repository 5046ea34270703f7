import { NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { getStudentCard, listRisks, StudentCard } from './card.ts'
import { endAllDevices, endDevice, listStudentDevices } from './devices.ts'
import { listSection } from './list-section.ts'
import { addNote, deleteNote, listStudentNotes, restoreNote, updateNote } from './notes.ts'
import * as output from './output-schema.ts'
import { addTag, removeTag, updateProfile } from './profile.ts'
import { remindStudent } from './reminder.ts'
import * as schema from './schema.ts'
import type { CardSection } from './section.ts'
import { listTimeline, TimelinePage } from './timeline.ts'

const administrator = procedureForRoles('OWNER', 'DIRECTOR')

/** Procedures of the student card; `sections` come from the modules above. */
export const cardProcedures = (sections: readonly CardSection[]) => ({
  getCard: administrator
    .route({ summary: "Returns the head of a student's card" })
    .input(schema.StudentId)
    .output(StudentCard)
    .handler(({ input, context }) => getStudentCard(context.actor, input)),
  listRisks: administrator
    .route({ summary: 'Returns the signs that a student may give up, with their reasons' })
    .input(schema.StudentId)
    .output(output.ListRisksOutput)
    .handler(({ input, context }) => listRisks(context.actor, input, sections)),
  listTimeline: administrator
    .route({ summary: 'Returns what happened with a student, newest first' })
    .input(schema.ListTimeline)
    .output(TimelinePage)
    .handler(({ input, context }) => listTimeline(context.actor, input, sections)),
  listSection: administrator
    .route({ summary: 'Returns the rows of a tab of the card, e.g. homework or events' })
    .input(schema.ListSection)
    .output(output.ListSectionOutput)
    .handler(({ input, context }) => listSection(context.actor, input, sections)),
  updateProfile: administrator
    .route({ summary: 'Changes name, telephone, language and time zone of a student' })
    .input(schema.UpdateProfile)
    .output(StudentCard)
    .handler(({ input, context }) => updateProfile(context.actor, input)),
  addTag: administrator
    .route({ summary: 'Adds a tag to a student' })
    .input(schema.StudentTag)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await addTag(context.actor, input)
      return noOutput()
    }),
  removeTag: administrator
    .route({ summary: 'Removes a tag from a student' })
    .input(schema.StudentTag)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await removeTag(context.actor, input)
      return noOutput()
    }),
  remind: administrator
    .route({ summary: 'Reminds a student by email of what is at risk, at most once a day' })
    .input(schema.StudentId)
    .output(output.RemindOutput)
    .handler(async ({ input, context }) => ({ sent: await remindStudent(context.actor, input, sections) })),
  listNotes: administrator
    .route({ summary: 'Returns the notes of the team about a student, newest first' })
    .input(schema.ListNotes)
    .output(output.ListStudentNotesOutput)
    .handler(({ input, context }) => listStudentNotes(context.actor, input)),
  addNote: administrator
    .route({ summary: 'Adds a note about a student' })
    .input(schema.AddNote)
    .output(schema.NoteId)
    .handler(({ input, context }) => addNote(context.actor, input)),
  updateNote: administrator
    .route({ summary: 'Changes a note about a student' })
    .input(schema.UpdateNote)
    .output(output.UpdateNoteOutput)
    .handler(({ input, context }) => updateNote(context.actor, input)),
  deleteNote: administrator
    .route({ summary: 'Deletes a note about a student' })
    .input(schema.NoteId)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await deleteNote(context.actor, input)
      return noOutput()
    }),
  restoreNote: administrator
    .route({ summary: 'Brings a deleted note about a student back' })
    .input(schema.NoteId)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await restoreNote(context.actor, input)
      return noOutput()
    }),
  listDevices: administrator
    .route({ summary: 'Returns the login sessions of a student, as far as they concern the school' })
    .input(schema.StudentId)
    .output(output.ListDevicesOutput)
    .handler(({ input, context }) => listStudentDevices(context.actor, input)),
  endDevice: administrator
    .route({ summary: 'Signs a student out of one device' })
    .input(schema.StudentSession)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await endDevice(context.actor, input)
      return noOutput()
    }),
  endAllDevices: administrator
    .route({ summary: 'Signs a student out of all devices' })
    .input(schema.StudentId)
    .output(output.EndAllDevicesOutput)
    .handler(async ({ input, context }) => ({ ended: await endAllDevices(context.actor, input) })),
})
