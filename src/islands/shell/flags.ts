import { polyfillCountryFlagEmojis } from 'country-flag-emoji-polyfill'

/** Loads a font of flags from cdn.jsdelivr.net only where the browser draws letters instead. */
polyfillCountryFlagEmojis()
