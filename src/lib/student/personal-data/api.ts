import { NoInput, NoOutput, noOutput, signedInProcedure } from '#lib/core/http/api/procedure.ts'
import { cancelDeletion, requestDeletion, sendDeletionCode } from './deletion.ts'
import { getMyData, requestDataExport } from './export.ts'
import { DeletionRequested, ExportId, MyData, RequestDeletion } from './schema.ts'

/** Procedures about the personal data of the signed-in person. */
export const personalData = {
  getMyData: signedInProcedure
    .route({ summary: 'Returns the newest export of the own data and the requested deletion' })
    .input(NoInput)
    .output(MyData)
    .handler(({ context }) => getMyData(context.actor)),

  requestDataExport: signedInProcedure
    .route({ summary: 'Starts an export of everything that is held about the person in all schools' })
    .input(NoInput)
    .output(ExportId)
    .handler(({ context }) => requestDataExport(context.actor)),

  sendDeletionCode: signedInProcedure
    .route({ summary: 'Emails the code that confirms a request for deletion of a person without a password' })
    .input(NoInput)
    .output(NoOutput)
    .handler(async ({ context }) => {
      await sendDeletionCode(context.actor)
      return noOutput()
    }),

  requestDeletion: signedInProcedure
    .route({
      summary: 'Requests the deletion of the own data after a grace period, with the password or the emailed code',
    })
    .input(RequestDeletion)
    .output(DeletionRequested)
    .handler(({ input, context }) => requestDeletion(context.actor, input)),

  cancelDeletion: signedInProcedure
    .route({ summary: 'Cancels the requested deletion' })
    .input(NoInput)
    .output(NoOutput)
    .handler(async ({ context }) => {
      await cancelDeletion(context.actor)
      return noOutput()
    }),
}
