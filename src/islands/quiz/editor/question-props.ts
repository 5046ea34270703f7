import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings, Translate } from '#lib/core/shared/text/strings.ts'
import type { QuestionContent, QuestionDraft } from '#lib/quiz/question/schema.ts'

/** A question as the page passes it. */
export interface QuestionProps {
  id: string
  revision: number
  draft: QuestionDraft
}

export interface QuestionEditorProps {
  question: QuestionProps
  /** Texts of the preview as HTML, in the order of `previewTextsOf`. */
  html: string[]
  /** Tags of the school's questions. */
  tags: string[]
  /** Membership id: drafts are stored per member. */
  owner: string
  title: string
  locale: Locale
  strings: Strings
}

/** Props of the fields of a question type. */
export interface FieldsProps<Content extends QuestionContent> {
  content: Content
  onChange: (content: Content) => void
  /** The translated issue of the field with this path. */
  issueAt: IssueAt
  t: Translate
}

export type IssueAt = (...path: (string | number)[]) => string | undefined
