import { z } from 'zod'
import { Email } from '#lib/core/shared/text/email.ts'
import { NamePart, Patronymic } from '#lib/core/shared/text/person-name.ts'
import { textLine } from '#lib/core/shared/text/text.ts'
import { RegistrationInput } from '#lib/student/registration-form/schema.ts'
import { NewPassword } from '#lib/user/schema.ts'

const id = z.uuid()
const tenant = z.string().max(63).optional().catch(undefined)

/** The domain of an email address, as `Email` stores it; a leading `@` is removed. */
const EmailDomain = z
  .string()
  .trim()
  .max(253, 'domain_format')
  .transform((typed, context) => {
    const email = Email.safeParse(`a@${typed.replace(/^@/, '')}`)
    if (email.success) return email.data.slice(2)
    context.addIssue({ code: 'custom', message: 'domain_format' })
    return z.NEVER
  })

/** `linkId` is chosen by the form, so that posting it twice creates one link. */
export const CreateInvitationLink = z.object({
  linkId: id,
  courseId: id,
  /** The group of the course that people join; without one they get the course. */
  groupId: id.nullable().optional(),
  label: textLine(80).default(''),
  maxUses: z.int().min(1).max(10_000).nullable().optional(),
  emailDomain: EmailDomain.nullable().optional(),
  expiresAt: z.iso.datetime().nullable().optional(),
})
export type CreateInvitationLink = z.output<typeof CreateInvitationLink>

/** The links of a course, or of one group of it. */
export const ListInvitationLinks = z.object({ courseId: id, groupId: id.optional() })
export type ListInvitationLinks = z.infer<typeof ListInvitationLinks>

export const InvitationLinkId = z.object({ linkId: id })
export type InvitationLinkId = z.infer<typeof InvitationLinkId>

/** The two parts of the address; the domain function refuses a missing part with the specification's message. */
export const OpenLink = z.object({ link: z.string().max(200).optional().catch(undefined), tenant })
export type OpenLink = z.infer<typeof OpenLink>

/** Joins as the signed-in person, with the answers to the registration form of the school. */
export const JoinByLink = OpenLink.extend(RegistrationInput.shape)
export type JoinByLink = z.output<typeof JoinByLink>

export const RequestJoin = OpenLink.extend({ email: Email })
export type RequestJoin = z.infer<typeof RequestJoin>

/** The two parts of the address in the email that confirms the mailbox. */
export const JoinToken = z.object({ join: z.string().max(1000).optional().catch(undefined), tenant })
export type JoinToken = z.infer<typeof JoinToken>

export const RegisterByLink = JoinToken.extend({
  firstName: NamePart.pipe(z.string().min(1, 'required')),
  lastName: NamePart.default(''),
  patronymic: Patronymic,
  password: NewPassword,
  ...RegistrationInput.shape,
})
export type RegisterByLink = z.output<typeof RegisterByLink>
