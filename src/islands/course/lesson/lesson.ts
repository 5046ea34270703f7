import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'

/** Title and text form one draft: they are saved and compared together. */
export interface LessonText {
  title: string
  blocks: LessonDoc
}

export type LessonState = 'new' | 'published' | 'changed'

/** Props of the lesson editor. */
export interface LessonProps extends LessonText {
  lessonId: string
  courseId: string
  version: number
  state: LessonState
  /** Membership id: drafts are stored by person. */
  owner: string
  /** The IANA zone that times are shown in. */
  zone: string
  locale: Locale
  strings: Strings
}

/** Returns the text typed before the editor was loaded and stops capturing. */
export type TakeTyped = () => string

/** Key of a lesson's draft on this device. */
export const lessonDraftKey = (lessonId: string): string => `course/lesson/${lessonId}`

/** Plain text of a lesson, for comparing versions. */
export function plainLessonText({ title, blocks }: LessonText): string {
  return [title, ...blocks.content.map(blockText)].filter((text) => text !== '').join('\n\n')
}

/** Text of a block; for a block without text, its name in brackets. */
function blockText(node: LessonNode): string {
  if (node.type === 'hardBreak') return '\n'
  if (!node.text && !node.content && node.attrs) return `[${attrsName(node.attrs)}]`
  const inner = (node.content ?? []).map(blockText)
  return node.text ?? inner.join(node.content?.some((child) => child.type === 'text') ? '' : '\n')
}

function attrsName(attrs: Record<string, unknown>): string {
  const { alt, name, label, title, url, src } = attrs
  return String(alt || name || label || title || url || src || '')
}
