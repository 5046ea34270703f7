import { CERTIFICATE_VARIABLES, type CertificateVariable } from '#lib/certificate/state-schema.ts'

/** The texts of the variables; an empty one is unknown or does not apply. */
export type VariableTexts = Record<CertificateVariable, string>

const VARIABLE = new RegExp(`\\{(${CERTIFICATE_VARIABLES.join('|')})\\}`, 'g')

/**
 * The text of an element with the values of its variables. Null when it has variables and all of them are empty, e.g.
 * "Valid until {expires}" on a certificate without an end.
 */
export function fillText(value: string, texts: VariableTexts): string | null {
  const used = [...value.matchAll(VARIABLE)].map(([, name]) => texts[name as CertificateVariable])
  if (used.length > 0 && used.every((text) => text === '')) return null
  return value.replace(VARIABLE, (_, name: CertificateVariable) => texts[name])
}
