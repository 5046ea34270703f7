import { createRequire } from 'node:module'

/*
 * Complete TrueType files: the fonts of the pages are split by script, so that a text of one font would need several of
 * them and quotation marks would be missing.
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

/** Path of the TrueType file of a font. */
export function fontPath(font: keyof typeof FILES, weight: 400 | 600 | 700): string {
  return createRequire(import.meta.url).resolve(FILES[font][weight])
}
