import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { QuestionType } from '#lib/core/shared/quiz.ts'
import { escapeHtml } from '#lib/core/shared/text/escape.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { renderParts } from '#lib/course/lesson/render.ts'
import type { RenderContext } from '#lib/course/lesson/render-context.ts'
import { maxPoints } from '../question/answer-rules.ts'
import { plainTextOf } from '../question/rich-text-schema.ts'
import type { AnswerValue, MixedGap, QuestionContent } from '../question/schema.ts'
import { gapField } from './describe/gap-field.ts'
import { type PartKind, shownIdsOf, toShownAnswer } from './describe/part-ids.ts'
import type { FrozenQuestion } from './schema.ts'

/** A choice, option or item as HTML, and as plain text for elements without HTML. */
export interface ShownPart {
  id: string
  html: string
  text: string
}

/**
 * A question for the student who answers it, without any data about the right answer. The ids of its parts are those of
 * the attempt, see part-ids.ts.
 */
export interface ShownQuestion {
  questionId: string
  type: QuestionType
  points: number
  sectionTitle: string
  /** HTML; for questions with gaps it contains their fields. */
  stem: string
  /** Options, choices or items in the order of the attempt. */
  parts: ShownPart[]
  /** Of matching. */
  prompts: ShownPart[]
  partIds: string[]
  /** Of mixed gaps: those with options. */
  choicePartIds: string[]
  unit: string
  minWords: number | null
  maxWords: number | null
  scale: { values: number[]; minLabel: string; maxLabel: string } | null
  image: { src: string; alt: string } | null
  /** Limits of a file answer. */
  upload: { acceptTypes: string[]; maxFiles: number; maxBytes: number } | null
  value: AnswerValue | null
  revision: number
}

interface ShowContext {
  render: RenderContext
  t: Translate
  /** The fields of gaps cannot be changed. */
  disabled: boolean
  /** Of the attempt. */
  partKey: string | null
}

/**
 * Renders a frozen question with the saved answer, whose ids are the stored ones. The result contains no key,
 * explanation, accepted answer or stored id.
 */
export function showQuestion(
  frozen: FrozenQuestion,
  content: QuestionContent,
  answer: { value: AnswerValue | null; revision: number } | undefined,
  context: ShowContext,
): ShownQuestion {
  const { questionId, points, sectionTitle, order } = frozen
  const shownId = shownIdsOf(context.partKey, questionId)
  const value = toShownAnswer(answer?.value ?? null, shownId)
  const parts = (kind: PartKind, list: readonly { id: string; content: LessonDoc }[]): ShownPart[] =>
    list.map(({ id, content: doc }) => ({
      id: shownId(kind, id),
      html: withinLabel(renderText(doc, context.render)),
      text: plainTextOf(doc),
    }))
  const ordered = <T extends { id: string }>(list: readonly T[]): T[] =>
    order.flatMap((id) => list.find((entry) => entry.id === id) ?? [])
  const stem = renderText(content.stem, context.render)
  const common = {
    questionId,
    type: content.type,
    points,
    sectionTitle,
    stem,
    parts: [],
    prompts: [],
    partIds: [],
    choicePartIds: [],
    unit: '',
    minWords: null,
    maxWords: null,
    scale: null,
    image: null,
    upload: null,
    value,
    revision: answer?.revision ?? 0,
  } satisfies ShownQuestion
  switch (content.type) {
    case 'single':
    case 'multiple':
      return { ...common, parts: parts('option', ordered(content.options)) }
    case 'number':
      return { ...common, unit: content.unit }
    case 'essay':
      return { ...common, minWords: content.minWords, maxWords: content.maxWords }
    case 'matching':
      return {
        ...common,
        parts: parts('choice', ordered(content.choices)),
        prompts: parts('prompt', content.prompts),
        partIds: content.prompts.map(({ id }) => shownId('prompt', id)),
      }
    case 'ordering': {
      const items = parts('item', ordered(content.items))
      return { ...common, parts: items, partIds: items.map(({ id }) => id) }
    }
    case 'gapText':
    case 'gapSelect':
    case 'gapMixed': {
      const shownIds = (gaps: readonly { id: string }[]) => gaps.map(({ id }) => shownId('gap', id))
      const [chosen, others] = content.type === 'gapMixed' ? splitByKind(content.gaps) : [[], content.gaps]
      const fieldFor = (gapId: string) => gapField(frozen, content, gapId, { ...context, value, shownId })
      return { ...common, partIds: shownIds(others), choicePartIds: shownIds(chosen), stem: fillGaps(stem, fieldFor) }
    }
    case 'hotspot': {
      const picture = content.imageFileId ? context.render.pictures.get(content.imageFileId) : undefined
      return {
        ...common,
        image: picture ? { src: picture.src, alt: content.imageAlt } : null,
        partIds: Array.from({ length: maxPoints(content) }, (_, index) => `p${index}`),
      }
    }
    case 'fileUpload': {
      const { acceptTypes, maxFiles, maxBytes } = content
      return { ...common, upload: { acceptTypes, maxFiles, maxBytes } }
    }
    case 'scale': {
      const { min, max, step, minLabel, maxLabel } = content
      const values = Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, index) => min + index * step)
      return { ...common, scale: { values, minLabel, maxLabel } }
    }
    default:
      return common
  }
}

/** The gaps with options, and those for typed texts. */
const splitByKind = (gaps: readonly MixedGap[]): [MixedGap[], MixedGap[]] => [
  gaps.filter((gap) => 'options' in gap),
  gaps.filter((gap) => !('options' in gap)),
]

/** Renders formatted text with players for audio and video. */
export function renderText(doc: LessonDoc, context: RenderContext): string {
  return renderParts(doc, context)
    .map((part) => {
      if (part.kind === 'html') return part.html
      const file = part.kind === 'media' ? context.files.get(part.fileId) : undefined
      if (!file) return ''
      const tag = file.kind === 'audio' ? 'audio' : 'video'
      return `<${tag} controls preload="metadata" src="${escapeHtml(file.open)}" aria-label="${escapeHtml(file.name)}"></${tag}>`
    })
    .join('')
}

/** Paragraphs as spans: a label must not contain paragraphs. */
const withinLabel = (html: string): string => html.replace(/<(\/?)p(?=[\s>])/g, '<$1span')

const MARKER = /\[\[([A-Za-z0-9_-]{1,40})\]\]/g

/**
 * Replaces the markers of gaps in the text of rendered HTML, in which each `<` starts a tag; attributes are not
 * changed.
 */
export function fillGaps(html: string, fieldFor: (gapId: string) => string): string {
  return html
    .split('<')
    .map((piece, index) => {
      const textStart = index === 0 ? 0 : piece.indexOf('>') + 1
      const tag = index === 0 ? '' : `<${piece.slice(0, textStart)}`
      return tag + piece.slice(textStart).replace(MARKER, (_, gapId: string) => fieldFor(gapId))
    })
    .join('')
}
