import { z } from 'zod'
import { Email } from '#lib/core/shared/text/email.ts'
import { NamePart, Patronymic, PersonName } from '#lib/core/shared/text/person-name.ts'
import { multilineText } from '#lib/core/shared/text/text.ts'
import { NewPassword } from '#lib/user/schema.ts'
import { RegistrationInput } from './registration-form/schema.ts'

const label = z.string().regex(/^[a-z0-9-]{1,63}$/, 'invalid_invitation')

/** The two parts of an invitation link; the domain function refuses a missing part with the specification's message. */
export const InvitationLink = z.object({
  student: z.string().max(200).optional().catch(undefined),
  tenant: label.optional().catch(undefined),
})
export type InvitationLink = z.infer<typeof InvitationLink>

/** The acceptance by a person with an account, with the answers to the registration form. */
export const AcceptInvitation = InvitationLink.extend(RegistrationInput.shape)

export const InviteStudent = z.object({
  email: Email,
  /** In one field; the separate names take precedence. */
  name: PersonName.default(''),
  firstName: NamePart.default(''),
  lastName: NamePart.default(''),
  patronymic: Patronymic,
  message: multilineText(1000).optional(),
})
export type InviteStudent = z.infer<typeof InviteStudent>

export const RegisterStudent = z
  .object({
    student: z.string().max(200),
    tenant: label,
    firstName: NamePart.pipe(z.string().min(1, 'required')),
    lastName: NamePart.default(''),
    patronymic: Patronymic,
    password: NewPassword,
    passwordConfirmation: z.string().max(1000).optional(),
    ...RegistrationInput.shape,
  })
  .refine(({ password, passwordConfirmation = password }) => password === passwordConfirmation, {
    error: 'passwords_differ',
    path: ['passwordConfirmation'],
  })
export type RegisterStudent = z.output<typeof RegisterStudent>

export const StudentInput = z.object({ studentId: z.uuid() })
export type StudentInput = z.infer<typeof StudentInput>

export const InvitedStudent = z.object({ studentId: z.uuid(), invitationId: z.uuid() })
export const AcceptedInvitation = z.object({ status: z.literal('accepted') })
export const ResentInvitation = z.object({ sent: z.literal(true) })
