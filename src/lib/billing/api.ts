import { publicProcedure } from '#lib/core/http/api/procedure.ts'
import { SignedIn, VerifyEmail } from '#lib/user/schema.ts'
import { openSchool } from './trial.ts'

export const billing = {
  openSchool: publicProcedure
    .route({ summary: 'Confirms the email address of a sign-up by code or link, and opens the school' })
    .input(VerifyEmail)
    .output(SignedIn)
    .handler(async ({ input, context }) => {
      const { token, device, redirect } = await openSchool(input, context)
      context.setToken(token)
      context.setDevice(device)
      return { token, redirect }
    }),
}
