import { NoOutput, noOutput, procedureForRoles, publicProcedure } from '#lib/core/http/api/procedure.ts'
import { SignedIn } from '#lib/user/schema.ts'
import { StudentId } from '../card/schema.ts'
import { cancelEmailCorrection, confirmEmailCorrection, requestEmailCorrection } from './correction.ts'
import { createLoginLink, signInByLink } from './login-link.ts'
import { ConfirmedCorrection, CorrectEmail, CorrectionRequested, CreatedLoginLink, StudentLink } from './schema.ts'

const administrator = procedureForRoles('OWNER', 'DIRECTOR')

/** Procedures of the sign-in of students: the correction of the email address and one-time login links. */
export const studentSignIn = {
  requestEmailCorrection: administrator
    .route({ summary: 'Emails a link that confirms the corrected email address of a student' })
    .input(CorrectEmail)
    .output(CorrectionRequested)
    .handler(({ input, context }) => requestEmailCorrection(context.actor, input)),

  cancelEmailCorrection: administrator
    .route({ summary: 'Cancels the correction of an email address that waits for confirmation' })
    .input(StudentId)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await cancelEmailCorrection(context.actor, input)
      return noOutput()
    }),

  confirmEmailCorrection: publicProcedure
    .route({ summary: 'Confirms a corrected email address by the link that was sent to it' })
    .input(StudentLink)
    .output(ConfirmedCorrection)
    .handler(({ input, context }) => confirmEmailCorrection(input, context)),

  createLoginLink: administrator
    .route({ summary: 'Creates a link that signs a student in once; it is returned this one time' })
    .input(StudentId)
    .output(CreatedLoginLink)
    .handler(({ input, context }) => createLoginLink(context.actor, input)),

  signInByLink: publicProcedure
    .route({ summary: 'Signs a student in by a one-time login link' })
    .input(StudentLink)
    .output(SignedIn)
    .handler(async ({ input, context }) => {
      const signedIn = await signInByLink(input, context)
      context.setToken(signedIn.token)
      context.setDevice(signedIn.device)
      return signedIn
    }),
}
