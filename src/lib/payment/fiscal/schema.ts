import { z } from 'zod'

/** Services that register fiscal receipts with the tax service (ПРРО). */
export const FISCAL_SERVICES = ['checkbox'] as const
export type FiscalServiceName = (typeof FISCAL_SERVICES)[number]

/** `waiting`: it is registered, or registered again, by a job; `failed`: the service has refused it, and staff can repeat it. */
export const RECEIPT_STATES = ['waiting', 'done', 'failed'] as const

export const RECEIPT_KINDS = ['sale', 'return'] as const
export type ReceiptKind = (typeof RECEIPT_KINDS)[number]

/** Names of the keys of fiscal services. Their labels are `payment:fiscal.key.<name>`. */
export const FISCAL_KEY_NAMES = ['licenseKey', 'pinCode', 'taxCode'] as const
export type FiscalKeyName = (typeof FISCAL_KEY_NAMES)[number]

export const SaveFiscalService = z.object({
  service: z.enum(FISCAL_SERVICES),
  keys: z.partialRecord(z.enum(FISCAL_KEY_NAMES), z.string().max(300)),
})
export type SaveFiscalService = z.output<typeof SaveFiscalService>

export const FiscalServiceInput = z.object({ service: z.enum(FISCAL_SERVICES) })

export const EnableFiscalService = FiscalServiceInput.extend({ isEnabled: z.boolean() })
export type EnableFiscalService = z.output<typeof EnableFiscalService>

/** How a school registers fiscal receipts, without secrets. */
export const FiscalSettingOutput = z.object({
  service: z.enum(FISCAL_SERVICES),
  isEnabled: z.boolean(),
  isTest: z.boolean(),
  hasKeys: z.boolean(),
  checkedAt: z.date().nullable(),
  keys: z.array(
    z.object({
      name: z.enum(FISCAL_KEY_NAMES),
      isSecret: z.boolean(),
      isOptional: z.boolean(),
      isStored: z.boolean(),
      value: z.string().nullable(),
    }),
  ),
})
export type FiscalSettingView = z.output<typeof FiscalSettingOutput>
