import { procedureForRoles, publicProcedure } from '#lib/core/http/api/procedure.ts'
import { SignedIn } from '#lib/user/schema.ts'
import { acceptInvitation, registerStudent, resendInvitation } from './acceptance.ts'
import { Accepted, InvitationLink, Invited, InviteStudent, RegisterStudent, Resent } from './schema.ts'
import { inviteStudent } from './student.ts'

export const student = {
  inviteAccept: publicProcedure
    .input(InvitationLink)
    .output(Accepted)
    .handler(async ({ input }) => {
      await acceptInvitation(input)
      return { status: 'accepted' as const }
    }),

  invite: procedureForRoles('OWNER', 'DIRECTOR')
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
