import { z } from 'zod'
import { RegistrationAnswer, RegistrationField } from './schema.ts'

export const RegistrationFormView = z.object({
  isOpen: z.boolean(),
  fields: z.array(RegistrationField),
  consentText: z.string(),
  consentUrl: z.string().nullable(),
  consentVersion: z.int(),
  revision: z.int(),
})
export type RegistrationFormView = z.infer<typeof RegistrationFormView>

export const RegistrationFormSaved = z.object({ revision: z.int() })

export const StudentRegistrationView = z.object({
  answers: z.array(RegistrationAnswer),
  answeredAt: z.iso.datetime().nullable(),
  consents: z.array(
    z.object({ version: z.int(), text: z.string(), url: z.string().nullable(), givenAt: z.iso.datetime() }),
  ),
})
export type StudentRegistrationView = z.infer<typeof StudentRegistrationView>
