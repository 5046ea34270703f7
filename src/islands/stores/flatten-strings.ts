import type { Strings } from '#lib/core/shared/text/strings.ts'

/** A dictionary's tree to the flat one that `speak` takes. `before` is the namespace with its colon. */
export function flattenStrings(words: object, before: string): Strings {
  const pairs = Object.entries(words).flatMap(([name, text]) =>
    typeof text === 'string' ? [[`${before}${name}`, text]] : Object.entries(flattenStrings(text, `${before}${name}.`)),
  )
  return Object.fromEntries(pairs)
}
