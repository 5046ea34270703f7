import { createRequire } from 'node:module'
import type { FontStyle } from './layout-rules.ts'

/*
 * Complete TrueType files: the fonts of the pages are split by script, so that one text would need several of them and
 * quotation marks would be missing.
 */
const FILES = {
  onest: {
    400: '@expo-google-fonts/onest/400Regular/Onest_400Regular.ttf',
    600: '@expo-google-fonts/onest/600SemiBold/Onest_600SemiBold.ttf',
    700: '@expo-google-fonts/onest/700Bold/Onest_700Bold.ttf',
  },
  literata: {
    400: '@expo-google-fonts/literata/400Regular/Literata_400Regular.ttf',
    600: '@expo-google-fonts/literata/600SemiBold/Literata_600SemiBold.ttf',
    700: '@expo-google-fonts/literata/700Bold/Literata_700Bold.ttf',
  },
} as const

/** The family under which a style is registered. */
export const familyOf = ({ font, weight }: FontStyle): string => `certificate-${font}-${weight}`

/** Path of the TrueType file of a style. */
export function fontPath({ font, weight }: FontStyle): string {
  return createRequire(import.meta.url).resolve(FILES[font][weight])
}

export const FONT_STYLES: readonly FontStyle[] = (['onest', 'literata'] as const).flatMap((font) =>
  ([400, 600, 700] as const).map((weight) => ({ font, weight })),
)
