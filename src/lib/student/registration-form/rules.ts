import type { RegistrationAnswer, RegistrationField, RegistrationInput } from './schema.ts'

interface Form {
  fields: readonly RegistrationField[]
  consentText: string
  consentUrl: string | null
  consentVersion: number
}

export interface CheckedRegistration {
  /** In the order of the form, without empty ones. */
  answers: RegistrationAnswer[]
  /** Codes of errors by the name of the field on the page. */
  errors: Record<string, string[]>
  /** The first phone number. */
  phone: string | null
}

const PHONE = /^\+?[0-9 ()-]{5,20}$/
const MAX_LENGTH = { line: 300, phone: 21, text: 2000, dropdown: 120 } as const

/**
 * Validates the answers of a student against the form of the school. Answers to fields that the form does not have are
 * dropped.
 */
export function checkRegistration(form: Form, input: RegistrationInput): CheckedRegistration {
  const answers: RegistrationAnswer[] = []
  const errors: Record<string, string[]> = {}
  let phone: string | null = null
  for (const field of form.fields) {
    const value = (input.answers[field.id] ?? '').trim()
    const error = answerError(field, value)
    if (error) errors[`answers.${field.id}`] = [error]
    if (value === '' || error) continue
    answers.push({ fieldId: field.id, label: field.label, value })
    if (field.kind === 'phone') phone ??= value
  }
  const consentError = consentErrorOf(form, input.consentVersion)
  if (consentError) errors.consentVersion = [consentError]
  return { answers, errors, phone }
}

function answerError({ kind, options, required }: RegistrationField, value: string): string | null {
  if (value === '') return required ? 'required' : null
  if (value.length > MAX_LENGTH[kind]) return 'answer_too_long'
  if (kind === 'phone' && !PHONE.test(value)) return 'format'
  return kind === 'dropdown' && !options.includes(value) ? 'format' : null
}

function consentErrorOf({ consentText, consentUrl, consentVersion }: Form, given: number | undefined): string | null {
  if (consentText === '' && consentUrl === null) return null
  if (given === undefined) return 'consent_required'
  return given === consentVersion ? null : 'consent_changed'
}
