import { open } from '#lib/core/http/procedure.ts'
import { SignedIn, VerifyEmail } from '#lib/user/schema.ts'
import { openSchool } from './billing.ts'

export const billing = {
  openSchool: open
    .input(VerifyEmail)
    .output(SignedIn)
    .handler(async ({ input, context }) => {
      const { token, redirect } = await openSchool(input, context)
      context.setToken(token)
      return { token, redirect }
    }),
}
