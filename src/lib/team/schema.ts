import { z } from 'zod'
import { Email } from '#lib/core/shared/text/email.ts'
import { NamePart, PersonName } from '#lib/core/shared/text/person-name.ts'
import { textLine } from '#lib/core/shared/text/text.ts'
import { NewPassword } from '#lib/user/schema.ts'

/** The roles that a team member can get. Ownership is transferred instead; students are not team members. */
export const TEAM_ROLES = ['DIRECTOR', 'EXPERT', 'CURATOR', 'PRESENTER', 'MODERATOR', 'MENTOR'] as const

const Roles = z
  .array(z.enum(TEAM_ROLES))
  .max(TEAM_ROLES.length)
  .transform((roles) => [...new Set(roles)])
const Ids = z
  .array(z.uuid())
  .max(100)
  .transform((ids) => [...new Set(ids)])
const Revision = z.coerce.number().int().min(1).max(2_147_483_647)
const HeirId = z.union([z.uuid(), z.literal('').transform(() => undefined)]).optional()

export const InviteMember = z.object({
  email: Email,
  name: PersonName.default(''),
  position: textLine(120).default(''),
  roles: Roles.default([]),
  courseIds: Ids.default([]),
  workshopIds: Ids.default([]),
})
export type InviteMember = z.output<typeof InviteMember>

export const MemberInput = z.object({ memberId: z.uuid() })
export type MemberInput = z.infer<typeof MemberInput>

export const ChangeMember = z.object({
  memberId: z.uuid(),
  /** The revision that the change is based on. */
  revision: Revision,
  roles: Roles.default([]),
  position: textLine(120).default(''),
})
export type ChangeMember = z.output<typeof ChangeMember>

export const RemoveMember = z.object({
  memberId: z.uuid(),
  /** The heirs; required for each kind of which the member has objects. */
  homeworkHeirId: HeirId,
  courseHeirId: HeirId,
  eventHeirId: HeirId,
  mentoringHeirId: HeirId,
})
export type RemoveMember = z.output<typeof RemoveMember>

const Day = z.iso.date({ error: ({ input }) => (input ? 'date_format' : 'required') })

export const AddVacation = z.object({
  memberId: z.uuid(),
  deputyId: z.uuid(),
  /** First and last day, in the time zone of the tenant. */
  firstDay: Day,
  lastDay: Day,
})
export type AddVacation = z.output<typeof AddVacation>
export const VacationInput = z.object({ vacationId: z.uuid() })
export type VacationInput = z.infer<typeof VacationInput>

export const RequestTransfer = z.object({ memberId: z.uuid(), password: z.string().min(1, 'required').max(1000) })
export type RequestTransfer = z.infer<typeof RequestTransfer>
export const TransferToken = z.object({ token: z.string().min(1).max(200) })
export type TransferToken = z.infer<typeof TransferToken>

const label = z.string().regex(/^[a-z0-9-]{1,63}$/, 'invalid_invitation')

/** The parts of an invitation link; the domain function refuses a missing part with the specification's message. */
export const TeamInvitationLink = z.object({
  member: z.string().max(200).optional().catch(undefined),
  tenant: label.optional().catch(undefined),
})
export type TeamInvitationLink = z.infer<typeof TeamInvitationLink>

export const RegisterMember = TeamInvitationLink.extend({
  firstName: NamePart.pipe(z.string().min(1, 'required')),
  lastName: NamePart.default(''),
  password: NewPassword,
  passwordConfirmation: z.string().max(1000).optional(),
}).refine(({ password, passwordConfirmation = password }) => password === passwordConfirmation, {
  error: 'passwords_differ',
  path: ['passwordConfirmation'],
})
export type RegisterMember = z.infer<typeof RegisterMember>
