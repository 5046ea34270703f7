import { LOCALES } from '#lib/core/shared/locale.ts'
import { childAt, childrenOf, type Markup, type MarkupElement } from '#lib/course/transfer/markup.ts'
import type { QuestionDoc } from '../../question/rich-text-schema.ts'
import { pointsOf } from '../parts.ts'
import { type NoteChange, type QuestionReader, SkippedQuestion } from '../question-reader.ts'
import { type FindQuestionFile, TextReader } from '../text/read-text.ts'
import { readInlineInteractions } from './inline-interactions.ts'
import { readInteraction } from './interactions.ts'
import { EXPLANATION, type QtiItem } from './item.ts'
import { readScoring } from './response.ts'

const INLINE = new Set(['textEntryInteraction', 'inlineChoiceInteraction'])
/** Elements of the body that are not part of the text. */
const LEFT_OUT = new Set([
  'endAttemptInteraction',
  'templateBlock',
  'templateInline',
  'feedbackBlock',
  'feedbackInline',
  'stylesheet',
  'catalogInfo',
])

/**
 * Converts one item of QTI 2.1, 2.2 or 3.0 to a question; its names are those of QTI 2 (`normalizeQti`). Throws
 * SkippedQuestion for items with several or unknown interactions.
 */
export function readQtiItem(item: MarkupElement, reader: QuestionReader, note: NoteChange, find: FindQuestionFile) {
  const body = childAt(item, 'itemBody')
  if (!body) throw new SkippedQuestion('not_a_question')
  if (childrenOf(item, 'templateDeclaration').length > 0) throw new SkippedQuestion('type_unsupported')
  const interactions = interactionsOf(body)
  if (interactions.length === 0) throw new SkippedQuestion('not_a_question')
  const texts = new TextReader(reader, note, find)
  const scoring = readScoring(item)
  if (!scoring.isSimple) note('scoring_changed')
  if (item.attributes.adaptive === 'true') note('settings_lost')
  const feedback = readFeedback(item, texts)
  const stemWith = (replace: (interaction: MarkupElement) => Markup[]) =>
    texts.nodes(replaceInteractions(body.children, replace))
  const source: QtiItem = { item, body, scoring, texts, note, feedback, stemWith }
  const isInline = interactions.every(({ name }) => INLINE.has(name))
  const [interaction, second] = interactions
  if (!isInline && second) throw new SkippedQuestion('several_interactions')
  const content =
    isInline || !interaction ? readInlineInteractions(source, interactions) : readInteraction(source, interaction)
  const explanation = feedback.get(EXPLANATION) ?? null
  const language = (item.attributes['xml:lang'] ?? '').toLowerCase().split('-')[0]
  const locale = LOCALES.find((known) => known === language)
  const points = scoring.maxScore === null ? {} : { points: pointsOf(scoring.maxScore, note) }
  return { content: { explanation, ...content, ...points }, ...(locale ? { locale } : {}) }
}

/** Interactions in the order of the body. */
function interactionsOf(node: MarkupElement): MarkupElement[] {
  return node.children.flatMap((child) => {
    if (typeof child === 'string' || LEFT_OUT.has(child.name)) return []
    return child.name.endsWith('Interaction') ? [child] : interactionsOf(child)
  })
}

function replaceInteractions(nodes: readonly Markup[], replace: (interaction: MarkupElement) => Markup[]): Markup[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [node]
    if (LEFT_OUT.has(node.name) || (node.name === 'rubricBlock' && node.attributes.view?.includes('scorer'))) return []
    if (node.name.endsWith('Interaction')) return replace(node)
    return [{ ...node, children: replaceInteractions(node.children, replace) }]
  })
}

/** Feedback by the identifier of its response; feedback on all responses has the key `explanation`. */
function readFeedback(item: MarkupElement, texts: TextReader): Map<string, QuestionDoc> {
  const feedback = new Map<string, QuestionDoc>()
  for (const element of childrenOf(item, 'modalFeedback')) {
    const { identifier = '' } = element.attributes
    const content = childAt(element, 'contentBody') ?? element
    const text = texts.optional(texts.nodes(content.children))
    if (text && !feedback.has(identifier)) feedback.set(identifier, text)
  }
  return feedback
}
