import { z } from 'zod'
import { Done, done, procedureForRoles, publicProcedure, signedInProcedure } from '#lib/core/http/api/procedure.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { SignedIn } from '#lib/user/schema.ts'
import { acceptTeamInvitation, registerMember, renewTeamInvitation } from './acceptance.ts'
import type { TeamAssignments } from './assignments.ts'
import { cancelTeamInvitation, inviteMember, resendTeamInvitation } from './invite.ts'
import { blockMember, changeMember, unblockMember } from './member.ts'
import { cancelTransfer, confirmTransfer, requestTransfer } from './ownership.ts'
import { removeMember } from './removal.ts'
import * as schema from './schema.ts'
import { addVacation, cancelVacation } from './vacation.ts'

const managers = procedureForRoles('OWNER', 'DIRECTOR')
const owners = procedureForRoles('OWNER')
const memberAction = managers.input(schema.MemberInput).output(Done)

/** The procedures of the team; `assignments` are the modules above it that have staff. */
export const teamProcedures = (assignments: TeamAssignments) => ({
  invite: managers
    .input(schema.InviteMember)
    .output(z.object({ memberId: z.uuid() }))
    .handler(({ input, context }) => inviteMember(context.actor, input, assignments)),
  resendInvitation: memberAction.handler(({ input, context }) => resendTeamInvitation(context.actor, input).then(done)),
  cancelInvitation: memberAction.handler(({ input, context }) =>
    cancelTeamInvitation(context.actor, input, assignments).then(done),
  ),
  change: managers
    .input(schema.ChangeMember)
    .output(z.object({ revision: z.number(), roles: z.array(z.enum(ROLES)) }))
    .handler(({ input, context }) => changeMember(context.actor, input)),
  block: memberAction.handler(({ input, context }) => blockMember(context.actor, input).then(done)),
  unblock: memberAction.handler(({ input, context }) => unblockMember(context.actor, input).then(done)),
  remove: managers
    .input(schema.RemoveMember)
    .output(Done)
    .handler(({ input, context }) => removeMember(context.actor, input, assignments).then(done)),
  addVacation: managers
    .input(schema.AddVacation)
    .output(z.object({ vacationId: z.uuid() }))
    .handler(({ input, context }) => addVacation(context.actor, input)),
  cancelVacation: managers
    .input(schema.VacationInput)
    .output(Done)
    .handler(({ input, context }) => cancelVacation(context.actor, input).then(done)),
  requestTransfer: owners
    .input(schema.RequestTransfer)
    .output(z.object({ transferId: z.uuid() }))
    .handler(({ input, context }) => requestTransfer(context.actor, input)),
  confirmTransfer: signedInProcedure
    .input(schema.TransferToken)
    .output(z.object({ isComplete: z.boolean() }))
    .handler(({ input, context }) => confirmTransfer(context.actor, input)),
  cancelTransfer: owners.output(Done).handler(({ context }) => cancelTransfer(context.actor).then(done)),
  acceptInvitation: signedInProcedure
    .input(schema.TeamInvitationLink)
    .output(Done)
    .handler(({ input, context }) => acceptTeamInvitation(context.actor, input).then(done)),
  register: publicProcedure
    .input(schema.RegisterMember)
    .output(SignedIn)
    .handler(async ({ input, context }) => {
      const signedIn = await registerMember(input, context)
      context.setToken(signedIn.token)
      context.setDevice(signedIn.device)
      return signedIn
    }),
  renewInvitation: publicProcedure
    .input(schema.TeamInvitationLink)
    .output(Done)
    .handler(({ input }) => renewTeamInvitation(input).then(done)),
})
