import { Done, done, procedureForRoles, publicProcedure } from '#lib/core/http/api/procedure.ts'
import { SignedIn } from '#lib/user/schema.ts'
import { acceptInvitation, registerStudent, resendInvitation } from './acceptance.ts'
import { confirmBulkJob, createBulkJob, getBulkJob, recallBulkEmails } from './bulk/bulk.ts'
import { CreateBulkJob, JobId } from './bulk/schema.ts'
import { countMatching, listStudents } from './list/list.ts'
import { listFilterOptions } from './list/options.ts'
import { ListStudents, SaveView, StudentFilter, ViewId } from './list/schema.ts'
import { deleteView, listViews, saveView } from './list/views.ts'
import { Accepted, InvitationLink, Invited, InviteStudent, RegisterStudent, Resent } from './schema.ts'
import { inviteStudent } from './student.ts'

const administrator = procedureForRoles('OWNER', 'DIRECTOR')

export const student = {
  list: administrator.input(ListStudents).handler(({ input, context }) => listStudents(context.actor, input)),

  count: administrator.input(StudentFilter).handler(async ({ input, context }) => ({
    students: await countMatching(context.actor, input, { exact: true }),
  })),

  listFilterOptions: administrator.handler(({ context }) => listFilterOptions(context.actor)),

  listViews: administrator.handler(({ context }) => listViews(context.actor)),

  saveView: administrator.input(SaveView).handler(({ input, context }) => saveView(context.actor, input)),

  deleteView: administrator
    .input(ViewId)
    .output(Done)
    .handler(async ({ input, context }) => {
      await deleteView(context.actor, input)
      return done()
    }),

  createBulkJob: administrator
    .input(CreateBulkJob)
    .output(JobId)
    .handler(({ input, context }) => createBulkJob(context.actor, input)),

  confirmBulkJob: administrator
    .input(JobId)
    .output(JobId)
    .handler(({ input, context }) => confirmBulkJob(context.actor, input)),

  recallBulkEmails: administrator.input(JobId).handler(({ input, context }) => recallBulkEmails(context.actor, input)),

  getBulkJob: administrator.input(JobId).handler(({ input, context }) => getBulkJob(context.actor, input)),

  inviteAccept: publicProcedure
    .input(InvitationLink)
    .output(Accepted)
    .handler(async ({ input }) => {
      await acceptInvitation(input)
      return { status: 'accepted' as const }
    }),

  invite: administrator
    .input(InviteStudent)
    .output(Invited)
    .handler(({ input, context }) => inviteStudent(context.actor, input)),

  register: publicProcedure
    .input(RegisterStudent)
    .output(SignedIn)
    .handler(async ({ input, context }) => {
      const signedIn = await registerStudent(input, context)
      context.setToken(signedIn.token)
      context.setDevice(signedIn.device)
      return signedIn
    }),

  resendInvitation: publicProcedure
    .input(InvitationLink)
    .output(Resent)
    .handler(async ({ input }) => {
      await resendInvitation(input)
      return { sent: true as const }
    }),
}
