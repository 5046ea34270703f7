import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'

/** What is typed: both are one draft, so that they are saved and compared together. */
export interface LessonText {
  title: string
  blocks: LessonDoc
}

export type LessonState = 'new' | 'published' | 'changed'

/** What the page hands to the editor. */
export interface LessonProps extends LessonText {
  lessonId: string
  version: number
  state: LessonState
  /** The membership's id: drafts are kept by person. */
  owner: string
  /** The IANA zone that times are shown in. */
  zone: string
  locale: Locale
  strings: Strings
}

/** Gives what was typed before the editor came, and stops keeping it. */
export type TakeTyped = () => string

/** The name of a lesson's draft on this device. */
export const draftKey = (lessonId: string): string => `course/lesson/${lessonId}`

/** A text without its form, to lay two versions side by side. */
export function plainText({ title, blocks }: LessonText): string {
  return [title, ...blocks.content.map(blockText)].filter((line) => line !== '').join('\n\n')
}

/** The words of a block; of a thing to see or to do, its name in brackets. */
export function blockText(node: LessonNode): string {
  if (node.type === 'hardBreak') return '\n'
  if (!node.text && !node.content && node.attrs) return `[${attrsName(node.attrs)}]`
  const inner = (node.content ?? []).map(blockText)
  return node.text ?? inner.join(node.content?.some((child) => child.type === 'text') ? '' : '\n')
}

function attrsName(attrs: Record<string, unknown>): string {
  const { alt, name, label, title, url, src } = attrs
  return String(alt || name || label || title || url || src || '')
}
