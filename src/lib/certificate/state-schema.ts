/* The closed lists of certificates. Without zod, so that tables and the browser may import them. */

/** The specification's types of certificates. */
export const CERTIFICATE_TYPES = ['electronic', 'manual'] as const
export type CertificateType = (typeof CERTIFICATE_TYPES)[number]

const ELECTRONIC_STATES = ['pending', 'issued', 'expired', 'revoked', 'replaced'] as const
export const MANUAL_STATES = ['requested', 'approved', 'produced', 'sent', 'received', 'declined'] as const
export const CERTIFICATE_STATES = [...ELECTRONIC_STATES, ...MANUAL_STATES] as const
export type CertificateState = (typeof CERTIFICATE_STATES)[number]

export const PAGE_SIZES = ['A4', 'A5', 'Letter'] as const
export type PageSize = (typeof PAGE_SIZES)[number]
export const ORIENTATIONS = ['landscape', 'portrait'] as const
export type Orientation = (typeof ORIENTATIONS)[number]

/** Width and height of the portrait page in millimetres. */
const PORTRAIT_MM: Record<PageSize, readonly [number, number]> = {
  A4: [210, 297],
  A5: [148, 210],
  Letter: [215.9, 279.4],
}

/** Width and height of a page in millimetres. */
export function pageSizeMm(size: PageSize, orientation: Orientation): { width: number; height: number } {
  const [short, long] = PORTRAIT_MM[size]
  return orientation === 'portrait' ? { width: short, height: long } : { width: long, height: short }
}

/** The variables in the texts of a template, e.g. `{name}`. */
export const CERTIFICATE_VARIABLES = [
  'name',
  'course',
  'school',
  'date',
  'expires',
  'number',
  'hours',
  'score',
  'url',
] as const
export type CertificateVariable = (typeof CERTIFICATE_VARIABLES)[number]
