import { z } from 'zod'
import { addressOf } from '#lib/core/config/config.ts'
import { Done, done, publicProcedure, signedInProcedure } from '#lib/core/http/api/procedure.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { findPending, resendCode } from './email-verification.ts'
import { changeRoles } from './member.ts'
import { changePassword, forgotPassword, resetPassword } from './password-reset.ts'
import * as schema from './schema.ts'
import { beginSecondFactor, disableSecondFactor, enableSecondFactor, renewRecoveryCodes } from './second-factor.ts'
import { listSessions, revokeOtherSessions, revokeSession, signOut, switchMembership } from './session.ts'
import { getSessionInfo } from './session-info.ts'
import { signIn } from './sign-in.ts'
import { register } from './sign-up.ts'
import { getPersonal, updatePersonal } from './user.ts'

const EMAIL_VERIFY = '/email-verify'
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
const Redirect = z.object({ redirect: z.string() })

export const user = {
  getSessionInfo: signedInProcedure.output(schema.SessionInfo).handler(({ context }) => getSessionInfo(context.actor)),

  login: publicProcedure
    .input(schema.SignIn)
    .output(schema.SignedIn)
    .handler(async ({ input, context }) => {
      const outcome = await signIn(input, context)
      if (outcome.kind === 'secondStep') throw new Refusal('second_factor', { fields: { code: ['second_factor'] } })
      if (outcome.kind === 'unverified') {
        const { ticket, expireDate } = outcome
        throw new Refusal('not_ready', { data: { ticket, expireDate, redirect: addressOf(null, EMAIL_VERIFY) } })
      }
      context.setToken(outcome.token)
      context.setDevice(outcome.device)
      return { token: outcome.token, redirect: outcome.redirect }
    }),

  logout: publicProcedure.output(Redirect).handler(async ({ context }) => {
    await signOut(context.token)
    context.setToken(null)
    return { redirect: addressOf(null, '/login') }
  }),

  register: publicProcedure
    .input(schema.Register)
    .output(schema.Pending)
    .handler(async ({ input, context }) => ({
      ...(await register(input, context)),
      redirect: addressOf(null, EMAIL_VERIFY),
    })),

  resendCode: publicProcedure
    .input(schema.VerificationTicket)
    .output(schema.Pending)
    .handler(async ({ input, context }) => ({
      ...(await resendCode(input, context)),
      redirect: addressOf(null, EMAIL_VERIFY),
    })),

  checkVerification: publicProcedure
    .input(schema.VerificationTicket)
    .output(z.object({ verified: z.boolean() }))
    .handler(async ({ input }) => ({ verified: (await findPending(input.ticket))?.verified ?? false })),

  forgotPassword: publicProcedure
    .input(schema.ForgotPassword)
    .output(Done)
    .handler(({ input, context }) => forgotPassword(input, context).then(done)),

  resetPassword: publicProcedure
    .input(schema.ResetPassword)
    .output(Redirect)
    .handler(async ({ input, context }) => {
      const { device } = await resetPassword(input, context)
      context.setDevice(device)
      return { redirect: addressOf(null, '/login') }
    }),

  changePassword: signedInProcedure
    .input(schema.ChangePassword)
    .output(Done)
    .handler(({ input, context }) => changePassword(context.actor, input).then(done)),

  getPersonal: signedInProcedure.output(schema.Personal).handler(({ context }) => getPersonal(context.actor)),

  updatePersonal: signedInProcedure
    .input(schema.UpdatePersonal)
    .output(Done)
    .handler(({ input, context }) => updatePersonal(context.actor, input).then(done)),

  listSessions: signedInProcedure
    .output(z.array(schema.SessionRow))
    .handler(({ context }) => listSessions(context.actor)),

  revokeSession: signedInProcedure
    .input(schema.RevokeSession)
    .output(Done)
    .handler(({ input, context }) => revokeSession(context.actor, input).then(done)),

  revokeOtherSessions: signedInProcedure
    .output(z.object({ ended: z.number() }))
    .handler(async ({ context }) => ({ ended: await revokeOtherSessions(context.actor) })),

  switchMembership: signedInProcedure
    .input(schema.SwitchMembership)
    .output(Redirect)
    .handler(({ input, context }) => switchMembership(context.actor, input)),

  changeRoles: signedInProcedure
    .input(schema.ChangeRoles)
    .output(schema.Roles)
    .handler(({ input, context }) => changeRoles(context.actor, input)),

  beginSecondFactor: signedInProcedure
    .output(z.object({ secret: z.string(), uri: z.string(), qr: z.string() }))
    .handler(({ context }) => beginSecondFactor(context.actor)),

  enableSecondFactor: signedInProcedure
    .input(schema.SecondFactorCode)
    .output(RecoveryCodes)
    .handler(({ input, context }) => enableSecondFactor(context.actor, input)),

  renewRecoveryCodes: signedInProcedure
    .input(schema.CurrentPassword)
    .output(RecoveryCodes)
    .handler(({ input, context }) => renewRecoveryCodes(context.actor, input)),

  disableSecondFactor: signedInProcedure
    .input(schema.CurrentPassword)
    .output(Done)
    .handler(({ input, context }) => disableSecondFactor(context.actor, input).then(done)),
}
