import { z } from 'zod'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'

export const MAX_REGISTRATION_FIELDS = 10
export const REGISTRATION_FIELD_KINDS = ['line', 'text', 'phone', 'dropdown'] as const

/** A field of the registration besides name, email address and password. */
export const RegistrationField = z
  .object({
    id: z.string().regex(/^[\w-]{1,40}$/),
    label: textLine(120).min(1, 'required'),
    kind: z.enum(REGISTRATION_FIELD_KINDS),
    /** The choices of a dropdown. */
    options: z.array(textLine(120).min(1, 'required')).max(20).default([]),
    required: z.boolean().default(false),
  })
  .refine(({ kind, options }) => kind !== 'dropdown' || options.length >= 2, {
    path: ['options'],
    error: 'two_options',
  })
export type RegistrationField = z.infer<typeof RegistrationField>

export const RegistrationAnswer = z.object({ fieldId: z.string(), label: z.string(), value: z.string() })
export type RegistrationAnswer = z.infer<typeof RegistrationAnswer>

const Url = z
  .string()
  .trim()
  .max(500)
  .refine((text) => text === '' || /^https?:\/\/[^\s/]+/.test(text), 'web_address')
  .nullable()
  .transform((text) => (text === '' ? null : text))

export const SaveRegistrationForm = z.object({
  /** The revision that the change is based on; 0 when the school has no form yet. */
  revision: z.coerce.number().int().min(0).max(2_147_483_647),
  isOpen: z.boolean(),
  fields: z.array(RegistrationField).max(MAX_REGISTRATION_FIELDS),
  consentText: multilineText(1000),
  consentUrl: Url,
})
export type SaveRegistrationForm = z.output<typeof SaveRegistrationForm>

/** The posted answers and consent of a student: answers by the id of their field. */
export const RegistrationInput = z.object({
  answers: z.record(z.string().max(40), z.string().max(2000)).default({}),
  /** The version of the consent that was shown and given; absent without consent. */
  consentVersion: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
})
export type RegistrationInput = z.infer<typeof RegistrationInput>

const ANSWER = 'answers.'

/** A schema for forms of pages, which post an answer under `answers.<id of the field>`. */
export const ofForm = <S extends z.ZodType>(schema: S) =>
  z.preprocess((form) => {
    if (typeof form !== 'object' || form === null) return form
    const entries: [string, unknown][] = Object.entries(form)
    const answers = entries.filter(([name]) => name.startsWith(ANSWER))
    return {
      ...Object.fromEntries(entries.filter(([name]) => !name.startsWith(ANSWER))),
      answers: Object.fromEntries(answers.map(([name, value]) => [name.slice(ANSWER.length), value])),
    }
  }, schema)
