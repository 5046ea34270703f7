import { fontPath } from '#lib/core/pdf/font-files.ts'
import type { FontStyle } from './layout-rules.ts'

/** The family under which a style is registered. */
export const registeredFontFamilyOf = ({ font, weight }: FontStyle): string => `certificate-${font}-${weight}`

/** Path of the TrueType file of a style. */
export const fontFileOf = ({ font, weight }: FontStyle): string => fontPath(font, weight)

export const FONT_STYLES: readonly FontStyle[] = (['onest', 'literata'] as const).flatMap((font) =>
  ([400, 600, 700] as const).map((weight) => ({ font, weight })),
)
