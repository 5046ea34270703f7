import { z } from 'zod'
import {
  NoInput,
  NoOutput,
  noOutput,
  procedureForRoles,
  publicProcedure,
  signedInProcedure,
} from '#lib/core/http/api/procedure.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { SignedIn } from '#lib/user/schema.ts'
import { acceptTeamInvitation, registerMember, renewTeamInvitation } from './acceptance.ts'
import type { TeamAssignments } from './assignments.ts'
import { cancelTeamInvitation, inviteMember, resendTeamInvitation } from './invite.ts'
import { blockMember, changeMember, unblockMember } from './member.ts'
import { cancelTransfer, confirmOwnershipTransfer, requestTransfer } from './ownership.ts'
import { removeMember } from './removal.ts'
import * as schema from './schema.ts'
import { addVacation, cancelVacation } from './vacation.ts'

const managers = procedureForRoles('OWNER', 'DIRECTOR')
const owners = procedureForRoles('OWNER')
const memberAction = managers.input(schema.MemberInput).output(NoOutput)

/** The procedures of the team; `assignments` are those of the modules above it. */
export const teamProcedures = (assignments: TeamAssignments) => ({
  invite: managers
    .route({ summary: 'Invites a person to the team by email, with roles and assignments' })
    .input(schema.InviteMember)
    .output(z.object({ memberId: z.uuid() }))
    .handler(({ input, context }) => inviteMember(context.actor, input, assignments)),
  resendInvitation: memberAction
    .route({ summary: 'Emails a new link to an invited member' })
    .handler(({ input, context }) => resendTeamInvitation(context.actor, input).then(noOutput)),
  cancelInvitation: memberAction
    .route({ summary: 'Cancels an invitation to the team' })
    .handler(({ input, context }) => cancelTeamInvitation(context.actor, input, assignments).then(noOutput)),
  change: managers
    .route({ summary: "Changes a member's roles and position" })
    .input(schema.ChangeMember)
    .output(z.object({ revision: z.number(), roles: z.array(z.enum(ROLES)) }))
    .handler(({ input, context }) => changeMember(context.actor, input)),
  block: memberAction
    .route({ summary: 'Blocks a member' })
    .handler(({ input, context }) => blockMember(context.actor, input).then(noOutput)),
  unblock: memberAction
    .route({ summary: 'Unblocks a member' })
    .handler(({ input, context }) => unblockMember(context.actor, input).then(noOutput)),
  remove: managers
    .route({ summary: 'Removes a member, whose work is handed to the named heirs' })
    .input(schema.RemoveMember)
    .output(NoOutput)
    .handler(({ input, context }) => removeMember(context.actor, input, assignments).then(noOutput)),
  addVacation: managers
    .route({ summary: 'Adds a vacation during which a deputy receives new homework' })
    .input(schema.AddVacation)
    .output(z.object({ vacationId: z.uuid() }))
    .handler(({ input, context }) => addVacation(context.actor, input)),
  cancelVacation: managers
    .route({ summary: 'Cancels a vacation' })
    .input(schema.VacationInput)
    .output(NoOutput)
    .handler(({ input, context }) => cancelVacation(context.actor, input).then(noOutput)),
  requestTransfer: owners
    .route({ summary: 'Requests the transfer of ownership, confirmed by both by email' })
    .input(schema.RequestTransfer)
    .output(z.object({ transferId: z.uuid() }))
    .handler(({ input, context }) => requestTransfer(context.actor, input)),
  confirmTransfer: signedInProcedure
    .route({ summary: 'Confirms the transfer of ownership by the emailed link' })
    .input(schema.TransferToken)
    .output(z.object({ isComplete: z.boolean() }))
    .handler(({ input, context }) => confirmOwnershipTransfer(context.actor, input)),
  cancelTransfer: owners
    .route({ summary: 'Cancels the requested transfer of ownership' })
    .input(NoInput)
    .output(NoOutput)
    .handler(({ context }) => cancelTransfer(context.actor).then(noOutput)),
  acceptInvitation: signedInProcedure
    .route({ summary: 'Accepts an invitation to the team as the signed-in person' })
    .input(schema.TeamInvitationLink)
    .output(NoOutput)
    .handler(({ input, context }) => acceptTeamInvitation(context.actor, input).then(noOutput)),
  register: publicProcedure
    .route({ summary: 'Sets name and password of a new member and signs the member in' })
    .input(schema.RegisterMember)
    .output(SignedIn)
    .handler(async ({ input, context }) => {
      const signedIn = await registerMember(input, context)
      context.setToken(signedIn.token)
      context.setDevice(signedIn.device)
      return signedIn
    }),
  renewInvitation: publicProcedure
    .route({ summary: 'Emails a new link to replace an expired invitation' })
    .input(schema.TeamInvitationLink)
    .output(NoOutput)
    .handler(({ input }) => renewTeamInvitation(input).then(noOutput)),
})
