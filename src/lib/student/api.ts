import { NoInput, NoOutput, noOutput, procedureForRoles, publicProcedure } from '#lib/core/http/api/procedure.ts'
import { SignedIn } from '#lib/user/schema.ts'
import { acceptInvitation, registerStudent, resendInvitation } from './acceptance.ts'
import { confirmBulkJob, createBulkJob, getBulkJob } from './bulk/bulk.ts'
import { BulkJobView } from './bulk/output-schema.ts'
import { CreateBulkJob, JobId } from './bulk/schema.ts'
import { listInvitations } from './invitation-list/invitation-list.ts'
import { InvitationPage } from './invitation-list/output-schema.ts'
import { ListInvitations } from './invitation-list/schema.ts'
import { countMatching, listStudents } from './list/list.ts'
import { listFilterOptions } from './list/options.ts'
import { StudentFilterOptions, StudentPage } from './list/output-schema.ts'
import { ListStudents, SaveView, StudentFilter, ViewId } from './list/schema.ts'
import { deleteView, listViews, saveView } from './list/views.ts'
import { createStudentMessage } from './message/message.ts'
import { CreateStudentMessage } from './message/schema.ts'
import { CountStudentOutput, CreateMessageOutput, ListViewsOutput, SaveViewOutput } from './output-schema.ts'
import { registrationFormCalls } from './registration-form/api.ts'
import {
  AcceptedInvitation,
  AcceptInvitation,
  InvitationLink,
  InvitedStudent,
  InviteStudent,
  RegisterStudent,
  ResentInvitation,
  StudentInput,
} from './schema.ts'
import { inviteStudent, resendStudentInvitation, revokeInvitation } from './student.ts'

const administrator = procedureForRoles('OWNER', 'DIRECTOR')

export const student = {
  ...registrationFormCalls,

  list: administrator
    .route({ summary: "Returns a page of the school's students" })
    .input(ListStudents)
    .output(StudentPage)
    .handler(({ input, context }) => listStudents(context.actor, input)),

  count: administrator
    .route({ summary: 'Counts the students that a filter selects' })
    .input(StudentFilter)
    .output(CountStudentOutput)
    .handler(async ({ input, context }) => ({
      students: await countMatching(context.actor, input, { exact: true }),
    })),

  listFilterOptions: administrator
    .route({ summary: 'Returns the courses, groups and tags by which students can be filtered' })
    .input(NoInput)
    .output(StudentFilterOptions)
    .handler(({ context }) => listFilterOptions(context.actor)),

  listViews: administrator
    .route({ summary: 'Returns the views that the actor has saved, by name' })
    .input(NoInput)
    .output(ListViewsOutput)
    .handler(({ context }) => listViews(context.actor)),

  saveView: administrator
    .route({ summary: "Saves a view under a name, replacing the actor's view of the same name" })
    .input(SaveView)
    .output(SaveViewOutput)
    .handler(({ input, context }) => saveView(context.actor, input)),

  deleteView: administrator
    .route({ summary: 'Deletes a view of the actor' })
    .input(ViewId)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await deleteView(context.actor, input)
      return noOutput()
    }),

  createBulkJob: administrator
    .route({ summary: 'Creates an action on many students and notes whom it concerns' })
    .input(CreateBulkJob)
    .output(JobId)
    .handler(({ input, context }) => createBulkJob(context.actor, input)),

  confirmBulkJob: administrator
    .route({ summary: 'Starts a draft' })
    .input(JobId)
    .output(JobId)
    .handler(({ input, context }) => confirmBulkJob(context.actor, input)),

  createMessage: administrator
    .route({ summary: 'Creates an email or an invitation to many students as a draft of the outbox' })
    .input(CreateStudentMessage)
    .output(CreateMessageOutput)
    .handler(({ input, context }) => createStudentMessage(context.actor, input)),

  getBulkJob: administrator
    .route({ summary: 'Returns a bulk action of the actor with its progress' })
    .input(JobId)
    .output(BulkJobView)
    .handler(({ input, context }) => getBulkJob(context.actor, input)),

  inviteAccept: publicProcedure
    .route({ summary: 'Accepts an invitation by its link' })
    .input(AcceptInvitation)
    .output(AcceptedInvitation)
    .handler(async ({ input, context }) => {
      await acceptInvitation(input, { userId: context.actor?.userId, address: context.address })
      return { status: 'accepted' as const }
    }),

  invite: administrator
    .route({ summary: 'Invites a student to the school and emails the link' })
    .input(InviteStudent)
    .output(InvitedStudent)
    .handler(({ input, context }) => inviteStudent(context.actor, input)),

  listInvitations: administrator
    .route({ summary: 'Returns a page of the invitations of students with what has become of them, newest first' })
    .input(ListInvitations)
    .output(InvitationPage)
    .handler(({ input, context }) => listInvitations(context.actor, input)),

  revokeInvitation: administrator
    .route({ summary: 'Revokes the open invitation of a student' })
    .input(StudentInput)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await revokeInvitation(context.actor, input)
      return noOutput()
    }),

  resendStudentInvitation: administrator
    .route({ summary: 'Sends a student a new invitation link; the old one ends' })
    .input(StudentInput)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await resendStudentInvitation(context.actor, input)
      return noOutput()
    }),

  register: publicProcedure
    .route({
      summary:
        'Sets name and password of a new student by the link of the email, which confirms the mailbox, and signs the student in',
    })
    .input(RegisterStudent)
    .output(SignedIn)
    .handler(async ({ input, context }) => {
      const signedIn = await registerStudent(input, context)
      context.setToken(signedIn.token)
      context.setDevice(signedIn.device)
      return signedIn
    }),

  resendInvitation: publicProcedure
    .route({ summary: 'Sends a new link to replace an expired one' })
    .input(InvitationLink)
    .output(ResentInvitation)
    .handler(async ({ input }) => {
      await resendInvitation(input)
      return { sent: true as const }
    }),
}
