import { z } from 'zod'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { PERIODS, PLANS } from '#lib/core/shared/plan.ts'
import { ACCOUNT_TYPES, PLAN_GROUPS, ROLES } from '#lib/core/shared/role.ts'
import { Email } from '#lib/core/shared/text/email.ts'
import { NamePart, Patronymic } from '#lib/core/shared/text/person-name.ts'
import { isTimeZone } from '#lib/core/shared/time-zone.ts'
import { OrganisationName, Subdomain } from '#lib/tenant/schema.ts'
import { findPasswordProblems, MAX_PASSWORD_LENGTH } from './rules.ts'

export const NewPassword = z
  .string()
  .min(1, { error: 'required', abort: true })
  .max(MAX_PASSWORD_LENGTH)
  .superRefine((password, context) => {
    for (const message of findPasswordProblems(password)) context.addIssue({ code: 'custom', message })
  })

/** A password that is only compared. Its length is limited, which bounds the time of hashing. */
const GivenPassword = z.string().min(1, 'required').max(1000)

const Return = z.string().max(2000).optional().catch(undefined)
const Code = z
  .string()
  .transform((code) => code.replace(/[\s-]/g, ''))
  .pipe(z.string().min(1, 'required').max(20, 'format'))
const PendingToken = z.string().min(1).max(500)
const Token = z.string().min(1, 'link_wrong').max(200, 'link_wrong')

function confirmed(value: { password: string; passwordConfirmation?: string | undefined }, context: z.RefinementCtx) {
  if (value.password === (value.passwordConfirmation ?? value.password)) return
  context.addIssue({ code: 'custom', path: ['passwordConfirmation'], message: 'passwords_differ' })
}

export const Register = z
  .object({
    email: Email,
    password: NewPassword,
    passwordConfirmation: z.string().max(1000).optional(),
    organisation: OrganisationName,
    subdomain: Subdomain,
    firstName: NamePart.pipe(z.string().min(1, 'required')),
    lastName: NamePart.default(''),
  })
  .superRefine(confirmed)
export type Register = z.infer<typeof Register>

export const SignIn = z.object({ email: Email, password: GivenPassword, code: Code.optional(), return: Return })
export type SignIn = z.infer<typeof SignIn>

/** The second step of a sign-in whose password was right: the pending token of the first step and a code. */
export const SignInCode = z.object({ pendingToken: PendingToken, code: Code, return: Return })
export type SignInCode = z.infer<typeof SignInCode>

export const VerifyEmail = z.union([z.object({ pendingToken: PendingToken, code: Code }), z.object({ token: Token })])
export type VerifyEmail = z.infer<typeof VerifyEmail>

export const VerificationPending = z.object({ pendingToken: PendingToken })

export const ForgotPassword = z.object({ email: Email })
export type ForgotPassword = z.infer<typeof ForgotPassword>

export const ResetPassword = z
  .object({ token: Token, password: NewPassword, passwordConfirmation: z.string().max(1000) })
  .superRefine(confirmed)
export type ResetPassword = z.infer<typeof ResetPassword>

export const ChangePassword = z
  .object({ current: GivenPassword, password: NewPassword, passwordConfirmation: z.string().max(1000) })
  .superRefine(confirmed)
export type ChangePassword = z.infer<typeof ChangePassword>

export const SecondFactorCode = z.object({ code: Code })
export const CurrentPassword = z.object({ password: GivenPassword })

export const RevokeSession = z.object({ sessionId: z.uuid() })

export const SwitchMembership = z.object({ membershipId: z.uuid(), return: Return })
export type SwitchMembership = z.infer<typeof SwitchMembership>

export const UpdatePersonal = z.object({
  firstName: NamePart.optional(),
  lastName: NamePart.optional(),
  patronymic: Patronymic,
  phone: z
    .string()
    .trim()
    .regex(/^(\+?[\d\s()-]{5,20})?$/, 'format')
    .transform((phone) => phone || null)
    .optional(),
  locale: z.enum(LOCALES, 'unknown_language').optional(),
  timeZone: z.string().max(64).refine(isTimeZone, 'unknown_time_zone').optional(),
})
export type UpdatePersonal = z.infer<typeof UpdatePersonal>

const Tariff = z.strictObject({ plan: z.enum(PLANS), period: z.enum(PERIODS) })
const PlanRow = z.strictObject({
  group: z.enum(PLAN_GROUPS),
  lms_tariff: Tariff.optional(),
  workshop_tariff: Tariff.optional(),
  next_payment: z.string().nullable(),
})

/** The output of the session call, with the field names of the specification (section 3). */
export const SessionInfo = z.strictObject({
  user_info: z.strictObject({
    id: z.uuid(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    locale: z.enum(LOCALES),
    time_zone: z.string(),
    current_account_type: z.enum(ACCOUNT_TYPES),
    domain: z.string(),
  }),
  user_roles: z.strictObject({ roles: z.array(z.enum(ROLES)) }),
  current_tariff: z.array(PlanRow),
  current_dop_tariff: z.array(
    z.strictObject({ limit: z.string(), quantity: z.number(), next_payment: z.string().nullable() }),
  ),
  pending_tariff: z.array(PlanRow),
  current_tenant: z.strictObject({
    id: z.uuid(),
    name: z.string(),
    subdomain: z.string(),
    domain: z.string(),
    time_zone: z.string(),
  }),
  tenant_billing_info: z.strictObject({
    trial_info: z.strictObject({ is_trial: z.boolean(), trial_ends_at: z.string().nullable() }),
    user_tariff_params: z.strictObject({ lms_tariff: Tariff.nullable(), workshop_tariff: Tariff.nullable() }),
  }),
})
export type SessionInfo = z.infer<typeof SessionInfo>

export const SignedIn = z.object({ token: z.string(), redirect: z.string() })
export const PendingSignUp = z.object({ pendingToken: z.string(), expireDate: z.string(), redirect: z.string() })
export const SessionRow = z.object({
  sessionId: z.uuid(),
  current: z.boolean(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
})
export type SessionRow = z.infer<typeof SessionRow>
export const PersonalSettings = z.object({
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string().nullable(),
  locale: z.enum(LOCALES),
  timeZone: z.string(),
})
