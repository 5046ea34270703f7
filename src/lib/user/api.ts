import { z } from 'zod'
import { addressOf } from '#lib/core/config/config.ts'
import { NoInput, NoOutput, noOutput, publicProcedure, signedInProcedure } from '#lib/core/http/api/procedure.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { findPending, resendCode } from './email-verification.ts'
import { changePassword, forgotPassword, resetPassword } from './password-reset.ts'
import * as schema from './schema.ts'
import { beginSecondFactor, disableSecondFactor, enableSecondFactor, renewRecoveryCodes } from './second-factor.ts'
import { listSessions, revokeOtherSessions, revokeSession, signOut, switchMembership } from './session.ts'
import { getSessionInfo } from './session-info.ts'
import { signIn } from './sign-in.ts'
import { registerUser } from './sign-up.ts'
import { getPersonal, updatePersonal } from './user.ts'

const EMAIL_VERIFY = '/email-verify'
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
const Redirect = z.object({ redirect: z.string() })

export const user = {
  getSessionInfo: signedInProcedure
    .route({ summary: 'Returns the actor, school, roles and plans of the session' })
    .input(NoInput)
    .output(schema.SessionInfo)
    .handler(({ context }) => getSessionInfo(context.actor)),

  login: publicProcedure
    .route({ summary: 'Signs in by email and password' })
    .input(schema.SignIn)
    .output(schema.SignedIn)
    .handler(async ({ input, context }) => {
      const outcome = await signIn(input, context)
      if (outcome.kind === 'secondStep') throw new Refusal('second_factor', { fields: { code: ['second_factor'] } })
      if (outcome.kind === 'unverified') {
        const { pendingToken, expireDate } = outcome
        throw new Refusal('not_ready', { data: { pendingToken, expireDate, redirect: addressOf(null, EMAIL_VERIFY) } })
      }
      context.setToken(outcome.token)
      context.setDevice(outcome.device)
      return { token: outcome.token, redirect: outcome.redirect }
    }),

  logout: publicProcedure
    .route({ summary: 'Ends the session of a token, in any state' })
    .input(NoInput)
    .output(Redirect)
    .handler(async ({ context }) => {
      await signOut(context.token)
      context.setToken(null)
      return { redirect: addressOf(null, '/login') }
    }),

  register: publicProcedure
    .route({ summary: 'Signs an organisation up' })
    .input(schema.Register)
    .output(schema.PendingSignUp)
    .handler(async ({ input, context }) => ({
      ...(await registerUser(input, context)),
      redirect: addressOf(null, EMAIL_VERIFY),
    })),

  resendCode: publicProcedure
    .route({ summary: 'Sends a new verification code to the browser that signed up' })
    .input(schema.VerificationPending)
    .output(schema.PendingSignUp)
    .handler(async ({ input, context }) => ({
      ...(await resendCode(input, context)),
      redirect: addressOf(null, EMAIL_VERIFY),
    })),

  checkVerification: publicProcedure
    .route({ summary: 'Returns whether the pending email address has been verified' })
    .input(schema.VerificationPending)
    .output(z.object({ verified: z.boolean() }))
    .handler(async ({ input }) => ({ verified: (await findPending(input.pendingToken))?.verified ?? false })),

  forgotPassword: publicProcedure
    .route({ summary: 'Requests a reset link' })
    .input(schema.ForgotPassword)
    .output(NoOutput)
    .handler(({ input, context }) => forgotPassword(input, context).then(noOutput)),

  resetPassword: publicProcedure
    .route({ summary: 'Sets a new password by a mailed link, which works once' })
    .input(schema.ResetPassword)
    .output(Redirect)
    .handler(async ({ input, context }) => {
      const { device } = await resetPassword(input, context)
      context.setDevice(device)
      return { redirect: addressOf(null, '/login') }
    }),

  changePassword: signedInProcedure
    .route({ summary: "Changes the actor's password" })
    .input(schema.ChangePassword)
    .output(NoOutput)
    .handler(({ input, context }) => changePassword(context.actor, input).then(noOutput)),

  getPersonal: signedInProcedure
    .route({ summary: 'Returns the editable personal data of the actor, with the telephone number' })
    .input(NoInput)
    .output(schema.PersonalSettings)
    .handler(({ context }) => getPersonal(context.actor)),

  updatePersonal: signedInProcedure
    .route({ summary: "Updates the actor's personal data" })
    .input(schema.UpdatePersonal)
    .output(NoOutput)
    .handler(({ input, context }) => updatePersonal(context.actor, input).then(noOutput)),

  listSessions: signedInProcedure
    .route({ summary: "Returns the actor's login sessions, the current one first" })
    .input(NoInput)
    .output(z.array(schema.SessionRow))
    .handler(({ context }) => listSessions(context.actor)),

  revokeSession: signedInProcedure
    .route({ summary: "Ends one of the actor's sessions" })
    .input(schema.RevokeSession)
    .output(NoOutput)
    .handler(({ input, context }) => revokeSession(context.actor, input).then(noOutput)),

  revokeOtherSessions: signedInProcedure
    .route({ summary: "Ends all of the actor's sessions except the current one" })
    .input(NoInput)
    .output(z.object({ ended: z.number() }))
    .handler(async ({ context }) => ({ ended: await revokeOtherSessions(context.actor) })),

  switchMembership: signedInProcedure
    .route({ summary: 'Switches the session to another membership of the actor' })
    .input(schema.SwitchMembership)
    .output(Redirect)
    .handler(({ input, context }) => switchMembership(context.actor, input)),

  beginSecondFactor: signedInProcedure
    .route({ summary: 'Returns a new secret for an authenticator app, as text, URL and QR image' })
    .input(NoInput)
    .output(z.object({ secret: z.string(), uri: z.string(), qr: z.string() }))
    .handler(({ context }) => beginSecondFactor(context.actor)),

  enableSecondFactor: signedInProcedure
    .route({ summary: 'Turns the second factor on with a first code of the app' })
    .input(schema.SecondFactorCode)
    .output(RecoveryCodes)
    .handler(({ input, context }) => enableSecondFactor(context.actor, input)),

  renewRecoveryCodes: signedInProcedure
    .route({ summary: 'Replaces the recovery codes by ten new ones' })
    .input(schema.CurrentPassword)
    .output(RecoveryCodes)
    .handler(({ input, context }) => renewRecoveryCodes(context.actor, input)),

  disableSecondFactor: signedInProcedure
    .route({ summary: 'Turns the second factor off' })
    .input(schema.CurrentPassword)
    .output(NoOutput)
    .handler(({ input, context }) => disableSecondFactor(context.actor, input).then(noOutput)),
}
