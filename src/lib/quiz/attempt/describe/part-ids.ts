import { createHmac } from 'node:crypto'
import { gapOptionsOf, hasGaps } from '../../question/rules.ts'
import type { AnswerValue, QuestionContent } from '../../question/schema.ts'

/*
 * A question stores the ids of its parts in the order of the editor or of the imported file, which is often the key. A
 * student sees other ids: an HMAC of the stored id with the secret key of the attempt. They differ between attempts,
 * carry no order, and cannot be computed by the student.
 */

export type PartKind = 'option' | 'prompt' | 'choice' | 'item' | 'gap' | 'gapOption'

/** Returns the other id of a part; undefined for an unknown one. `gapId` is the given gap of a `gapOption`. */
export type PartIdOf = (kind: PartKind, id: string, gapId?: string) => string | undefined

/** Converts stored ids to the ids that the student of an attempt sees. */
export type ShownIdOf = (kind: PartKind, storedId: string, gapId?: string) => string

/** 96 bits. */
const ID_LENGTH = 16

/**
 * The ids of the parts of a question in an attempt. Without a key, in attempts that were started before keys existed,
 * the stored ids are shown, so that answers that a device still keeps remain valid.
 */
export function shownIdsOf(partKey: string | null, questionId: string): ShownIdOf {
  if (partKey === null) return (_, storedId) => storedId
  return (kind, storedId, gapId = '') =>
    createHmac('sha256', partKey)
      .update(JSON.stringify([questionId, kind, gapId, storedId]))
      .digest('base64url')
      .slice(0, ID_LENGTH)
}

/** An answer with the ids that the student sees. */
export function toShownAnswer(value: AnswerValue | null, shownId: ShownIdOf): AnswerValue | null {
  return value && mapPartIds(value, shownId)
}

/** An answer of a student with the stored ids; null when it contains an id that the question does not have. */
export function toStoredAnswer(content: QuestionContent, value: AnswerValue, shownId: ShownIdOf): AnswerValue | null {
  const storedIds = new Map<string, string>()
  const add = (kind: PartKind, parts: readonly { id: string }[], gapId?: string) => {
    for (const { id } of parts)
      storedIds.set(pathOf(kind, shownId(kind, id, gapId), gapId && shownId('gap', gapId)), id)
  }
  if (content.type === 'single' || content.type === 'multiple') add('option', content.options)
  if (content.type === 'matching') {
    add('prompt', content.prompts)
    add('choice', content.choices)
  }
  if (content.type === 'ordering') add('item', content.items)
  if (hasGaps(content)) {
    add('gap', content.gaps)
    for (const gap of content.gaps) add('gapOption', gapOptionsOf(gap), gap.id)
  }
  return mapPartIds(value, (kind, id, gapId) => storedIds.get(pathOf(kind, id, gapId)))
}

const pathOf = (kind: PartKind, id: string, gapId = ''): string => `${kind}/${gapId}/${id}`

/** The answer with other ids; null when one of them is unknown. Keys are sorted, so that their order says nothing. */
function mapPartIds(value: AnswerValue, idOf: PartIdOf): AnswerValue | null {
  switch (value.type) {
    case 'single': {
      const optionId = idOf('option', value.optionId)
      return optionId === undefined ? null : { ...value, optionId }
    }
    case 'multiple': {
      const optionIds = mapEach(value.optionIds, (id) => idOf('option', id))
      return optionIds && { ...value, optionIds }
    }
    case 'ordering': {
      const itemIds = mapEach(value.itemIds, (id) => idOf('item', id))
      return itemIds && { ...value, itemIds }
    }
    case 'matching': {
      const choices = mapEntries(value.choices, (prompt, choice) => [idOf('prompt', prompt), idOf('choice', choice)])
      return choices && { ...value, choices }
    }
    case 'gapText': {
      const gaps = mapEntries(value.gaps, (gap, text) => [idOf('gap', gap), text])
      return gaps && { ...value, gaps }
    }
    case 'gapSelect': {
      const gaps = mapEntries(value.gaps, (gap, option) => [idOf('gap', gap), idOf('gapOption', option, gap)])
      return gaps && { ...value, gaps }
    }
    case 'gapMixed': {
      const texts = mapEntries(value.texts, (gap, text) => [idOf('gap', gap), text])
      const chosen = mapEntries(value.chosen, (gap, optionIds) => [
        idOf('gap', gap),
        mapEach(optionIds, (id) => idOf('gapOption', id, gap)) ?? undefined,
      ])
      return texts && chosen && { ...value, texts, chosen }
    }
    default:
      return value
  }
}

function mapEach(ids: readonly string[], idOf: (id: string) => string | undefined): string[] | null {
  const mapped = ids.flatMap((id) => idOf(id) ?? [])
  return mapped.length === ids.length ? mapped : null
}

function mapEntries<T>(
  record: Readonly<Record<string, T>>,
  map: (key: string, value: T) => [string | undefined, T | undefined],
): Record<string, T> | null {
  const known = Object.entries(record).flatMap(([key, value]): [string, T][] => {
    const [mappedKey, mapped] = map(key, value)
    return mappedKey === undefined || mapped === undefined ? [] : [[mappedKey, mapped]]
  })
  if (known.length < Object.keys(record).length) return null
  return Object.fromEntries(known.sort(([first], [second]) => (first < second ? -1 : 1)))
}
