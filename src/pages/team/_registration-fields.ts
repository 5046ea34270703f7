import { MAX_REGISTRATION_FIELDS } from '#lib/student/registration-form/schema.ts'

/** A field of the registration as typed. */
export interface TypedField {
  id: string
  label: string
  kind: string
  options: string[]
  required: boolean
}

/** The fields in a posted form, in its order; fields without a label are ignored. */
export function readRegistrationFields(typed: Readonly<Record<string, string>>): TypedField[] {
  return Array.from({ length: MAX_REGISTRATION_FIELDS + 1 }, (_, place) => {
    const textAt = (name: string) => (typed[`field${place}${name}`] ?? '').trim()
    return {
      id: textAt('Id') || crypto.randomUUID().slice(0, 8),
      label: textAt('Label'),
      kind: textAt('Kind'),
      options: [...new Set(textAt('Options').split(/\r?\n/))].map((text) => text.trim()).filter((text) => text !== ''),
      required: `field${place}Required` in typed,
    }
  }).filter(({ label }) => label !== '')
}

/** The input of `saveRegistrationForm` from a posted form. */
export function readRegistrationInput(form: FormData) {
  const typed = Object.fromEntries([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  return {
    revision: typed.revision,
    isOpen: 'isOpen' in typed,
    fields: readRegistrationFields(typed),
    consentText: typed.consentText ?? '',
    consentUrl: typed.consentUrl ?? '',
  }
}
