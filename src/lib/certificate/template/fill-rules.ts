import { CERTIFICATE_VARIABLES, type CertificateVariable } from '#lib/certificate/state-schema.ts'

/** The values of the variables; an empty one is unknown or not applicable. */
export type VariableTexts = Record<CertificateVariable, string>

const VARIABLE = new RegExp(`\\{(${CERTIFICATE_VARIABLES.join('|')})\\}`, 'g')

/**
 * The text of an element with the values of its variables. Null when all of its variables are empty, e.g. "Valid until
 * {expires}" on a certificate without an end.
 */
export function fillText(value: string, texts: VariableTexts): string | null {
  const used = [...value.matchAll(VARIABLE)].map(([, name]) => texts[name as CertificateVariable])
  if (used.length > 0 && used.every((text) => text === '')) return null
  return value.replace(VARIABLE, (_, name: CertificateVariable) => texts[name])
}
