import { childAt, childrenOf, type Markup, type MarkupElement } from '#lib/course/transfer/markup.ts'

/* Elements of Moodle XML that are made of those of a backup. */

export const element = (name: string, children: Markup[], attributes: Record<string, string> = {}): MarkupElement => ({
  name,
  attributes,
  children,
})

export const elementWithText = (name: string, text: string): MarkupElement => element(name, [text])

const FORMATS: Record<string, string> = { 0: 'moodle_auto_format', 1: 'html', 2: 'plain_text', 4: 'markdown' }

/** A formatted text; `place` is the area and item of its files. */
export function htmlText(
  name: string,
  text: string,
  format: string,
  place: string,
  attributes: Record<string, string> = {},
  more: Markup[] = [],
): MarkupElement {
  const placed = text.replaceAll('@@PLUGINFILE@@/', `@@PLUGINFILE@@/:${place}:/`)
  return element(name, [elementWithText('text', placed), ...more], { format: FORMATS[format] ?? 'html', ...attributes })
}

/** The elements of a list, by the names of both. */
export const listOf = (parent: MarkupElement, list: string, name: string): MarkupElement[] =>
  childrenOf(childAt(parent, list), name)
