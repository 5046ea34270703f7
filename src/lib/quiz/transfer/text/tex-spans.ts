export type Delimiters = readonly (readonly [string, string])[]

export const TEX_DELIMITERS: Delimiters = [
  ['$$', '$$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
]

/** The text with each formula, including its delimiters, replaced; in linear time. */
export function replaceFormulas(source: string, delimiters: Delimiters, replace: (formula: string) => string): string {
  const parts: string[] = []
  const unclosed = new Set<string>()
  let written = 0
  for (let at = 0; at < source.length; at += 1) {
    const [opening, closing] = delimiters.find(([start]) => !unclosed.has(start) && source.startsWith(start, at)) ?? []
    if (opening === undefined || closing === undefined) continue
    const end = source.indexOf(closing, at + opening.length)
    if (end < 0) unclosed.add(opening)
    else {
      parts.push(source.slice(written, at), replace(source.slice(at, end + closing.length)))
      written = end + closing.length
      at = written - 1
    }
  }
  return parts.join('') + source.slice(written)
}
