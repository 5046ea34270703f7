import { hasVisibleText } from '#lib/core/shared/text/text.ts'

/** The characters that all fonts of certificates have, as ranges: Ukrainian and other Cyrillic, and Latin letters. */
const DRAWABLE =
  /^[\n\u0020-\u007e\u00a0-\u00a3\u00a5\u00a7-\u00ab\u00ae-\u00b4\u00b6-\u017e\u018f\u0192\u01a0\u01a1\u01af\u01b0\u01cd-\u01dc\u01e6\u01e7\u0218-\u021b\u0237\u0259\u02bb\u02bc\u02c6\u02c7\u02d8-\u02dd\u0401-\u040c\u040e-\u044f\u0451-\u045c\u045e\u045f\u0490-\u0493\u0496\u0497\u049a\u049b\u04a2\u04a3\u04ae-\u04b1\u04ba\u04bb\u04d8\u04d9\u04e8\u04e9\u1e0c\u1e0d\u1e24\u1e25\u1e36-\u1e3b\u1e42-\u1e47\u1e5a-\u1e5d\u1e62\u1e63\u1e6c\u1e6d\u1e80-\u1e85\u1e92\u1e93\u1e9e\u1ea0-\u1ef9\u2009\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2030\u2039\u203a\u2044\u20ac\u20b4\u20b8\u20ba\u20bc\u20bd\u2116\u2117\u2122\u2153\u2154\u215b-\u215e\u2190-\u2193\u2212\u2248\u2260\u2264\u2265]+$/u

const MAX_NAMED = 10

/**
 * The characters of a text that the fonts lack, e.g. `ქ, 🎓`, an invisible one by its code; null when all can be drawn. A
 * letter and its combining marks are one character.
 */
export function undrawableCharacters(text: string): string | null {
  const missing = new Set<string>()
  for (const { segment } of new Intl.Segmenter('uk').segment(text.normalize()))
    if (!DRAWABLE.test(segment)) missing.add(hasVisibleText(segment) ? segment : codeOf(segment))
  return missing.size === 0 ? null : [...missing].slice(0, MAX_NAMED).join(', ')
}

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
