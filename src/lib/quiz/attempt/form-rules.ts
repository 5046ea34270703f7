import type { QuestionType } from '#lib/core/shared/quiz.ts'
import type { AnswerValue } from '../question/schema.ts'

/** The fields of a question that are needed to read its answer from a form. */
export interface AnsweredQuestion {
  questionId: string
  type: QuestionType
  /** Ids of prompts, items or gaps in the order in which they are shown; for hotspot one for each point. */
  partIds: string[]
  /** Ids of gaps with options, of which the form has those that are chosen. */
  choicePartIds?: string[]
}

/** The name of a question's field in the form of an attempt; parts have separate fields. */
export const fieldOf = (questionId: string, partId?: string): string =>
  partId === undefined ? `a.${questionId}` : `a.${questionId}.${partId}`

/**
 * Reads the answer of a question from a posted form or a form in the browser; null for no answer. Incomplete input never
 * fails: an ordering without positions is no answer, equal positions keep the shown order.
 */
export function readAnswer(
  { questionId, type, partIds, choicePartIds = [] }: AnsweredQuestion,
  form: FormData,
): AnswerValue | null {
  const texts = (partId?: string) =>
    form.getAll(fieldOf(questionId, partId)).filter((value) => typeof value === 'string')
  const text = (partId?: string) => texts(partId)[0] ?? ''
  const entries = partIds.flatMap((partId) => (text(partId) === '' ? [] : [[partId, text(partId)] as const]))
  switch (type) {
    case 'single':
      return text() === '' ? null : { type, optionId: text() }
    case 'multiple':
      return texts().length > 0 ? { type, optionIds: texts() } : null
    case 'trueFalse':
      return text() === '' ? null : { type, value: text() === 'true' }
    case 'shortText':
    case 'number':
    case 'essay': {
      // Forms use CR LF as line separator.
      const typed = text().replaceAll('\r\n', '\n')
      return typed.trim() === '' ? null : { type, text: typed }
    }
    case 'fileUpload':
      return texts().length > 0 ? { type, fileIds: texts() } : null
    case 'matching':
      return entries.length > 0 ? { type, choices: Object.fromEntries(entries) } : null
    case 'gapText':
    case 'gapSelect':
      return entries.length > 0 ? { type, gaps: Object.fromEntries(entries) } : null
    case 'gapMixed': {
      const chosen = choicePartIds.flatMap((partId) => {
        const optionIds = texts(partId).filter((optionId) => optionId !== '')
        return optionIds.length > 0 ? [[partId, optionIds] as const] : []
      })
      if (entries.length + chosen.length === 0) return null
      return { type, texts: Object.fromEntries(entries), chosen: Object.fromEntries(chosen) }
    }
    case 'ordering':
      return entries.length > 0 ? { type, itemIds: byPosition(partIds, text) } : null
    case 'hotspot': {
      const points = partIds.flatMap((partId) => pointOf(text(`${partId}.x`), text(`${partId}.y`)) ?? [])
      return points.length > 0 ? { type, points } : null
    }
    case 'scale':
      return text() === '' ? null : { type, value: Number(text()) }
  }
}

/** The texts of all fields of a question by name, as `readAnswer` reads them; empty ones for no answer. */
export function fieldTexts(
  { questionId, partIds, choicePartIds = [] }: Omit<AnsweredQuestion, 'type'>,
  value: AnswerValue | null,
): Map<string, string[]> {
  const own = (...texts: string[]) => new Map([[fieldOf(questionId), texts]])
  const parts = (texts: Readonly<Record<string, string>>) =>
    new Map(partIds.map((partId) => [fieldOf(questionId, partId), [texts[partId] ?? '']]))
  const choices = (chosen: Readonly<Record<string, string[]>>) =>
    new Map(choicePartIds.map((partId) => [fieldOf(questionId, partId), chosen[partId] ?? ['']]))
  switch (value?.type) {
    case undefined:
      return new Map([...own(''), ...parts({}), ...choices({}), ...pointFields(questionId, partIds, [])])
    case 'single':
      return own(value.optionId)
    case 'multiple':
      return own(...value.optionIds)
    case 'trueFalse':
    case 'scale':
      return own(String(value.value))
    case 'shortText':
    case 'number':
    case 'essay':
      return own(value.text)
    case 'matching':
      return parts(value.choices)
    case 'gapText':
    case 'gapSelect':
      return parts(value.gaps)
    case 'gapMixed':
      return new Map([...parts(value.texts), ...choices(value.chosen)])
    case 'ordering':
      return parts(Object.fromEntries(value.itemIds.map((itemId, index) => [itemId, String(index + 1)])))
    case 'hotspot':
      return pointFields(questionId, partIds, value.points)
    case 'fileUpload':
      return own(...value.fileIds)
  }
}

function pointFields(
  questionId: string,
  partIds: readonly string[],
  points: readonly { x: number; y: number }[],
): Map<string, string[]> {
  return new Map(
    partIds.flatMap((partId, index) => {
      const point = points[index]
      return [
        [fieldOf(questionId, `${partId}.x`), [point ? toPercent(point.x) : '']],
        [fieldOf(questionId, `${partId}.y`), [point ? toPercent(point.y) : '']],
      ] as const
    }),
  )
}

/** A share as percent with two decimals. */
export const toPercent = (share: number): string => String(Math.round(share * 10_000) / 100)

/**
 * Whether two answers are equal: the order of keys and of chosen options is ignored, and coordinates are compared with
 * the precision of the fields.
 */
export const isSameAnswer = (a: AnswerValue | null, b: AnswerValue | null): boolean => canonical(a) === canonical(b)

const canonical = (answer: AnswerValue | null): string =>
  JSON.stringify(answer, (key, value: unknown) => {
    if (key === 'chosen')
      return Object.entries(value ?? {})
        .map(([id, list]) => [id, ...list.toSorted()].join(' '))
        .sort()
    if (typeof value === 'number') return Math.round(value * 10_000) / 10_000
    if (Array.isArray(value)) return key === 'optionIds' ? value.toSorted() : value
    return value !== null && typeof value === 'object' ? Object.fromEntries(Object.entries(value).sort()) : value
  })

/** Items by their chosen positions; those without one follow in the shown order. */
function byPosition(itemIds: readonly string[], positionOf: (itemId: string) => string): string[] {
  const position = (itemId: string) => Number(positionOf(itemId)) || itemIds.length + 1
  return itemIds.toSorted((a, b) => position(a) - position(b) || itemIds.indexOf(a) - itemIds.indexOf(b))
}

/** A point from two fields in percent. */
function pointOf(x: string, y: string): { x: number; y: number } | null {
  const [left, top] = [x, y].map((value) => (value.trim() === '' ? Number.NaN : Number(value.replace(',', '.')) / 100))
  if (left === undefined || top === undefined || !isShare(left) || !isShare(top)) return null
  return { x: left, y: top }
}

const isShare = (value: number): boolean => value >= 0 && value <= 1
