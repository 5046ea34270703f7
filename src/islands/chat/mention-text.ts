/** What mentions everyone, in both languages: the author and the reader may have different ones. */
export const EVERYONE: readonly string[] = ['усі', 'all']

/** A mention that is being typed: the text after `@`, and the position of the sign. */
export interface TypedMention {
  start: number
  search: string
}

const MAX_LENGTH = 40

/** The mention that ends at the caret, or null. `before`: the text up to the caret. */
export function typedMention(before: string): TypedMention | null {
  const start = before.lastIndexOf('@')
  if (start < 0 || before.length - start > MAX_LENGTH) return null
  const previous = before[start - 1]
  if (previous !== undefined && !/[\s(«"]/.test(previous)) return null
  const search = before.slice(start + 1)
  // A name has at most two words.
  if (/[\n@]/.test(search) || search.startsWith(' ') || search.split(' ').length > 2) return null
  return { start, search }
}

/** The text with the name in place of what was typed, and the position after it. */
export function insertMention(
  text: string,
  { start, search }: TypedMention,
  name: string,
): { text: string; caret: number } {
  const inserted = `@${name} `
  const rest = text.slice(start + 1 + search.length)
  return { text: `${text.slice(0, start)}${inserted}${rest.trimStart()}`, caret: start + inserted.length }
}

/** A text in parts, of which some are `@name` of one of the names. */
export function mentionParts(text: string, names: readonly string[]): { text: string; isMention: boolean }[] {
  const parts: { text: string; isMention: boolean }[] = []
  const signs = names.map((name) => `@${name}`).toSorted((a, b) => b.length - a.length)
  let plain = ''
  for (let index = 0; index < text.length; ) {
    const sign = text[index] === '@' ? signs.find((each) => text.startsWith(each, index)) : undefined
    if (sign) {
      if (plain !== '') parts.push({ text: plain, isMention: false })
      parts.push({ text: sign, isMention: true })
      plain = ''
    } else plain += text[index] ?? ''
    index += sign?.length ?? 1
  }
  return plain === '' ? parts : [...parts, { text: plain, isMention: false }]
}
