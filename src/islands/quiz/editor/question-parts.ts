import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { gapMarkersOf } from '#lib/quiz/question/rules.ts'
import { MixedGap, type QuestionContent, type QuestionContentOfType } from '#lib/quiz/question/schema.ts'
import { blankListText, blankMixedGap, blankSelectGap, blankTextGap, nextGapId } from './blank-question.ts'

type Choice = QuestionContentOfType<'single' | 'multiple'>
export type GapQuestion = QuestionContentOfType<'gapText' | 'gapSelect' | 'gapMixed'>

/** Moves one part of a list by one position; returns the same list at its ends. */
export function movePart<T>(parts: readonly T[], index: number, direction: -1 | 1): T[] {
  const target = index + direction
  const moved = parts[index]
  if (moved === undefined || target < 0 || target >= parts.length) return [...parts]
  return parts.toSpliced(index, 1).toSpliced(target, 0, moved)
}

/**
 * Marks one option as right or wrong. A single choice has one right option; several right ones share the points
 * equally.
 */
export function markOption<T extends Choice>(content: T, optionId: string, isCorrect: boolean): T {
  const isRight = (option: { id: string; fraction: number }) =>
    option.id === optionId
      ? isCorrect
      : content.type === 'single'
        ? option.fraction === 1 && !isCorrect
        : option.fraction > 0
  const rightCount = content.options.filter(isRight).length
  const options = content.options.map((option) => {
    if (isRight(option)) return { ...option, fraction: roundFraction(1 / rightCount) }
    const wasRight = content.type === 'single' ? option.fraction === 1 : option.fraction > 0
    return wasRight ? { ...option, fraction: 0 } : option
  })
  return { ...content, options }
}

/** Rounds a fraction to a percentage with three decimals. */
export const roundFraction = (fraction: number): number => Math.round(fraction * 100_000) / 100_000

/** Adds a gap, with its marker at the end of the text. */
export function addGap(content: GapQuestion): GapQuestion {
  const id = nextGapId([...content.gaps, ...gapMarkersOf(content.stem).map((marker) => ({ id: marker }))])
  return withGaps({ ...content, stem: appendText(content.stem, `[[${id}]]`) }, [id])
}

/** Adds the gaps that the text contains and the question does not have. */
export function addMarkedGaps(content: GapQuestion): GapQuestion {
  const known = new Set(content.gaps.map(({ id }) => id))
  return withGaps(
    content,
    [...new Set(gapMarkersOf(content.stem))].filter((id) => !known.has(id)),
  )
}

function withGaps(content: GapQuestion, ids: readonly string[]): GapQuestion {
  switch (content.type) {
    case 'gapText':
      return { ...content, gaps: [...content.gaps, ...ids.map(blankTextGap)] }
    case 'gapSelect':
      return { ...content, gaps: [...content.gaps, ...ids.map(blankSelectGap)] }
    case 'gapMixed':
      return { ...content, gaps: [...content.gaps, ...ids.map((id) => blankMixedGap(id, 'text'))] }
  }
}

/** Removes a gap together with its markers in the text. */
export function removeGap(content: GapQuestion, gapId: string): GapQuestion {
  const stem = mapText(content.stem, (text) => text.replaceAll(`[[${gapId}]]`, ''))
  const others = <T extends { id: string }>(gaps: readonly T[]) => gaps.filter(({ id }) => id !== gapId)
  switch (content.type) {
    case 'gapText':
      return { ...content, stem, gaps: others(content.gaps) }
    case 'gapSelect':
      return { ...content, stem, gaps: others(content.gaps) }
    case 'gapMixed':
      return { ...content, stem, gaps: others(content.gaps) }
  }
}

/**
 * A gap with another kind. Its texts remain where both kinds have some: accepted texts become options of a list, and
 * right options accepted texts.
 */
export function withGapKind(gap: MixedGap, kind: MixedGap['kind']): MixedGap {
  const { id, weight } = gap
  const isListed = 'options' in gap
  const isList = kind === 'menu' || kind === 'several'
  if (isListed && isList) return { ...gap, kind }
  if (gap.kind === 'text' && isList) return { id, weight, kind, options: [...gap.accepted, blankListText()] }
  if (isListed && kind === 'text') {
    const accepted = gap.options.filter(({ fraction }) => fraction > 0)
    if (accepted.length > 0) return MixedGap.parse({ id, weight, kind, accepted })
  }
  return { ...blankMixedGap(id, kind), weight }
}

function appendText(doc: LessonDoc, text: string): LessonDoc {
  const last = doc.content.at(-1)
  const node = { type: 'text', text }
  if (last?.type !== 'paragraph') return { ...doc, content: [...doc.content, { type: 'paragraph', content: [node] }] }
  const inline = last.content ?? []
  const end = inline.at(-1)
  const space = end?.text && !/\s$/.test(end.text) ? [{ type: 'text', text: ' ' }] : []
  return { ...doc, content: [...doc.content.slice(0, -1), { ...last, content: [...inline, ...space, node] }] }
}

function mapText(doc: LessonDoc, change: (text: string) => string): LessonDoc {
  const mapNode = (node: LessonNode): LessonNode[] => {
    if (node.text !== undefined) {
      const text = change(node.text)
      return text === '' ? [] : [{ ...node, text }]
    }
    return [node.content ? { ...node, content: node.content.flatMap(mapNode) } : node]
  }
  return { ...doc, content: doc.content.flatMap(mapNode) }
}

/** Removes a choice of a matching question, and the references of prompts to it. */
export function removeChoice(content: QuestionContentOfType<'matching'>, choiceId: string): QuestionContent {
  return {
    ...content,
    choices: content.choices.filter(({ id }) => id !== choiceId),
    prompts: content.prompts.map((prompt) => (prompt.choiceId === choiceId ? { ...prompt, choiceId: null } : prompt)),
  }
}
