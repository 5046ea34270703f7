import { z } from 'zod'

/** A decimal number as text, so that no digit is lost: `-12.5`. */
export const DecimalText = z.string().regex(/^-?\d{1,15}(?:\.\d{1,15})?$/, 'format')
