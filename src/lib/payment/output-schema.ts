import { z } from 'zod'
import { KEY_NAMES, PROVIDERS } from './schema.ts'

/** How a school receives money by one provider, without secrets. */
export const ProviderSettingOutput = z.object({
  provider: z.enum(PROVIDERS),
  isEnabled: z.boolean(),
  isTest: z.boolean(),
  hasKeys: z.boolean(),
  checkedAt: z.date().nullable(),
  checkOk: z.boolean().nullable(),
  keys: z.array(
    z.object({
      name: z.enum(KEY_NAMES),
      isSecret: z.boolean(),
      isOptional: z.boolean(),
      isStored: z.boolean(),
      value: z.string().nullable(),
    }),
  ),
  isManual: z.boolean(),
  callbackUrl: z.string(),
})
