import { z } from 'zod'
import { NoInput, NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { EnableFiscalService, FiscalSettingOutput, SaveFiscalService } from './fiscal/schema.ts'
import { listFiscalSettings, saveFiscalService, setFiscalEnabled } from './fiscal/settings.ts'
import { ProviderSettingOutput } from './output-schema.ts'
import { checkProvider, listProviderSettings, saveProvider, setProviderEnabled } from './provider-settings.ts'
import { EnableProvider, ProviderInput, SaveProvider } from './schema.ts'

const owner = procedureForRoles('OWNER')

export const payment = {
  listProviders: owner
    .route({ summary: 'Returns how the school receives money, without secrets' })
    .input(NoInput)
    .output(z.array(ProviderSettingOutput))
    .handler(({ context }) => listProviderSettings(context.actor)),
  saveProvider: owner
    .route({ summary: 'Stores the keys of a payment provider after the provider has accepted them' })
    .input(SaveProvider)
    .output(NoOutput)
    .handler(({ input, context }) => saveProvider(context.actor, input).then(noOutput)),
  setProviderEnabled: owner
    .route({ summary: 'Offers a payment provider to buyers, or no longer' })
    .input(EnableProvider)
    .output(NoOutput)
    .handler(({ input, context }) => setProviderEnabled(context.actor, input).then(noOutput)),
  checkProvider: owner
    .route({ summary: 'Asks a payment provider whether it accepts the stored keys' })
    .input(ProviderInput)
    .output(z.object({ isAccepted: z.boolean() }))
    .handler(({ input, context }) => checkProvider(context.actor, input)),
  listFiscalServices: owner
    .route({ summary: 'Returns how the school registers fiscal receipts, without secrets' })
    .input(NoInput)
    .output(z.array(FiscalSettingOutput))
    .handler(({ context }) => listFiscalSettings(context.actor)),
  saveFiscalService: owner
    .route({ summary: 'Stores the keys of a fiscal service after the service has accepted them' })
    .input(SaveFiscalService)
    .output(NoOutput)
    .handler(({ input, context }) => saveFiscalService(context.actor, input).then(noOutput)),
  setFiscalServiceEnabled: owner
    .route({ summary: 'Registers fiscal receipts of payments, or no longer' })
    .input(EnableFiscalService)
    .output(NoOutput)
    .handler(({ input, context }) => setFiscalEnabled(context.actor, input).then(noOutput)),
}
