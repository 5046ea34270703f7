import type { Strings } from '#lib/core/shared/text/strings.ts'

/** Flattens a dictionary for `createTranslator`. `prefix` is the namespace with its colon. */
export function flattenStrings(strings: object, prefix: string): Strings {
  const pairs = Object.entries(strings).flatMap(([name, text]) =>
    typeof text === 'string' ? [[`${prefix}${name}`, text]] : Object.entries(flattenStrings(text, `${prefix}${name}.`)),
  )
  return Object.fromEntries(pairs)
}
