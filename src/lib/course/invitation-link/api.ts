import {
  NoOutput,
  noOutput,
  procedureForRoles,
  publicProcedure,
  signedInProcedure,
} from '#lib/core/http/api/procedure.ts'
import { SignedIn } from '#lib/user/schema.ts'
import { createInvitationLink, listInvitationLinks, revokeInvitationLink } from './invitation-link.ts'
import { joinByLink, registerByLink, requestJoin } from './join.ts'
import * as output from './output-schema.ts'
import * as schema from './schema.ts'

const inviter = procedureForRoles('OWNER', 'DIRECTOR', 'CURATOR')

/** Procedures of invitation links. */
export const invitationLinkCalls = {
  createInvitationLink: inviter
    .route({ summary: 'Creates a link through which people join a course or a group' })
    .input(schema.CreateInvitationLink)
    .output(output.InvitationLinkCreated)
    .handler(({ input, context }) => createInvitationLink(context.actor, input)),
  listInvitationLinks: inviter
    .route({ summary: 'Returns the invitation links of a course or of one of its groups, newest first' })
    .input(schema.ListInvitationLinks)
    .output(output.InvitationLinks)
    .handler(({ input, context }) => listInvitationLinks(context.actor, input)),
  revokeInvitationLink: inviter
    .route({ summary: 'Revokes an invitation link; those who joined through it stay' })
    .input(schema.InvitationLinkId)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await revokeInvitationLink(context.actor, input)
      return noOutput()
    }),
  requestJoin: publicProcedure
    .route({ summary: 'Emails a person how to join through an invitation link' })
    .input(schema.RequestJoin)
    .output(output.JoinRequested)
    .handler(async ({ input, context }) => {
      await requestJoin(input, context)
      return { sent: true as const }
    }),
  joinByLink: signedInProcedure
    .route({ summary: 'Joins through an invitation link as the signed-in person' })
    .input(schema.JoinByLink)
    .output(output.JoinedStudent)
    .handler(({ input, context }) => joinByLink(context.actor, input)),
  registerByLink: publicProcedure
    .route({ summary: 'Registers a new student by the link of the email, which confirms the mailbox, and signs in' })
    .input(schema.RegisterByLink)
    .output(SignedIn)
    .handler(async ({ input, context }) => {
      const signedIn = await registerByLink(input, context)
      context.setToken(signedIn.token)
      context.setDevice(signedIn.device)
      return signedIn
    }),
}
