import { z } from 'zod'
import { addressOf } from '#lib/core/config/config.ts'
import { Done, done, open, signedIn } from '#lib/core/http/api/procedure.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import * as ask from './schema.ts'
import * as door from './user.ts'

const EMAIL_VERIFY = '/email-verify'
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
const Redirect = z.object({ redirect: z.string() })

export const user = {
  getSessionInfo: signedIn.output(ask.SessionInfo).handler(({ context }) => door.getSessionInfo(context.actor)),

  login: open
    .input(ask.SignIn)
    .output(ask.SignedIn)
    .handler(async ({ input, context }) => {
      const answer = await door.signIn(input, context)
      if (answer.kind === 'secondStep') throw new Refusal('second_factor', { fields: { code: ['second_factor'] } })
      if (answer.kind === 'unverified') {
        const { ticket, expireDate } = answer
        throw new Refusal('not_ready', { data: { ticket, expireDate, redirect: addressOf(null, EMAIL_VERIFY) } })
      }
      context.setToken(answer.token)
      context.setDevice(answer.device)
      return { token: answer.token, redirect: answer.redirect }
    }),

  logout: open.output(Redirect).handler(async ({ context }) => {
    await door.signOut(context.token)
    context.setToken(null)
    return { redirect: addressOf(null, '/login') }
  }),

  register: open
    .input(ask.Register)
    .output(ask.Pending)
    .handler(async ({ input, context }) => ({
      ...(await door.register(input, context)),
      redirect: addressOf(null, EMAIL_VERIFY),
    })),

  resendCode: open
    .input(ask.VerificationTicket)
    .output(ask.Pending)
    .handler(async ({ input, context }) => ({
      ...(await door.resendCode(input, context)),
      redirect: addressOf(null, EMAIL_VERIFY),
    })),

  checkVerification: open
    .input(ask.VerificationTicket)
    .output(z.object({ verified: z.boolean() }))
    .handler(async ({ input }) => ({ verified: (await door.findPending(input.ticket))?.verified ?? false })),

  forgotPassword: open
    .input(ask.ForgotPassword)
    .output(Done)
    .handler(({ input, context }) => door.forgotPassword(input, context).then(done)),

  resetPassword: open
    .input(ask.ResetPassword)
    .output(Redirect)
    .handler(async ({ input, context }) => {
      const { device } = await door.resetPassword(input, context)
      context.setDevice(device)
      return { redirect: addressOf(null, '/login') }
    }),

  changePassword: signedIn
    .input(ask.ChangePassword)
    .output(Done)
    .handler(({ input, context }) => door.changePassword(context.actor, input).then(done)),

  getPersonal: signedIn.output(ask.Personal).handler(({ context }) => door.getPersonal(context.actor)),

  updatePersonal: signedIn
    .input(ask.UpdatePersonal)
    .output(Done)
    .handler(({ input, context }) => door.updatePersonal(context.actor, input).then(done)),

  listSessions: signedIn.output(z.array(ask.SessionRow)).handler(({ context }) => door.listSessions(context.actor)),

  revokeSession: signedIn
    .input(ask.RevokeSession)
    .output(Done)
    .handler(({ input, context }) => door.revokeSession(context.actor, input).then(done)),

  revokeOtherSessions: signedIn
    .output(z.object({ ended: z.number() }))
    .handler(async ({ context }) => ({ ended: await door.revokeOtherSessions(context.actor) })),

  switchMembership: signedIn
    .input(ask.SwitchMembership)
    .output(Redirect)
    .handler(({ input, context }) => door.switchMembership(context.actor, input)),

  changeRoles: signedIn
    .input(ask.ChangeRoles)
    .output(ask.Roles)
    .handler(({ input, context }) => door.changeRoles(context.actor, input)),

  beginSecondFactor: signedIn
    .output(z.object({ secret: z.string(), uri: z.string(), qr: z.string() }))
    .handler(({ context }) => door.beginSecondFactor(context.actor)),

  enableSecondFactor: signedIn
    .input(ask.SecondFactorCode)
    .output(RecoveryCodes)
    .handler(({ input, context }) => door.enableSecondFactor(context.actor, input)),

  renewRecoveryCodes: signedIn
    .input(ask.CurrentPassword)
    .output(RecoveryCodes)
    .handler(({ input, context }) => door.renewRecoveryCodes(context.actor, input)),

  disableSecondFactor: signedIn
    .input(ask.CurrentPassword)
    .output(Done)
    .handler(({ input, context }) => door.disableSecondFactor(context.actor, input).then(done)),
}
