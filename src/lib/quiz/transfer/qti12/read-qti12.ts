import {
  childAt,
  childrenOf,
  type Markup,
  type MarkupElement,
  parseHtml,
  textAtPath,
  textContent,
} from '#lib/course/transfer/markup.ts'
import type { QuestionDoc } from '../../question/rich-text-schema.ts'
import { pointsOf } from '../parts.ts'
import { type NoteChange, type QuestionReader, type ReadQuestion, SkippedQuestion } from '../question-reader.ts'
import { type FindQuestionFile, TextReader } from '../text/read-text.ts'
import { elementLines, elementsOf } from '../xml.ts'
import { readQti12Answers } from './answers.ts'
import { hasPlainScores, readConditions } from './conditions.ts'
import type { Qti12Item, ReadResponse } from './item.ts'

/**
 * Reads the items of a document of QTI 1.2 (root `questestinterop`), e.g. of Canvas and Common Cartridge. Returns the
 * outcome of each item.
 */
export function readQti12(
  root: MarkupElement,
  text: string,
  reader: QuestionReader,
  find: FindQuestionFile,
  file: string | null,
): Map<MarkupElement, ReadQuestion> {
  const lines = elementLines(text, 'item')
  return new Map(
    elementsOf(root, 'item').map((item, index) => {
      const place = { file, line: lines[index] ?? 1, title: item.attributes.title ?? '' }
      return [item, reader.add(place, (note) => readItem(item, reader, note, find))] as const
    }),
  )
}

const NOT_A_QUESTION = new Set(['text_only_question'])

function readItem(item: MarkupElement, reader: QuestionReader, note: NoteChange, find: FindQuestionFile) {
  const metadata = readMetadata(item)
  const kind = metadata.get('question_type') ?? metadata.get('cc_profile') ?? metadata.get('qmd_itemtype') ?? ''
  if (NOT_A_QUESTION.has(kind)) throw new SkippedQuestion('not_a_question')
  if (kind === 'calculated_question') throw new SkippedQuestion('calculated_unsupported')
  const presentation = childAt(item, 'presentation')
  if (!presentation) throw new SkippedQuestion('not_a_question')
  const texts = new TextReader(reader, note, find)
  const feedback = readFeedback(item, texts)
  const responses = responsesOf(presentation)
  const source: Qti12Item = {
    kind,
    texts,
    note,
    stemNodes: stemOf(presentation, responses.length > 1 && responses.every(({ prompt }) => prompt.length === 0)),
    responses,
    conditions: readConditions(item),
    feedback: (id) => feedback.get(`${id}_fb`) ?? feedback.get(id) ?? null,
    hasGrid: presentation.children.some((child) => typeof child !== 'string' && child.name === 'response_grp'),
  }
  if (!hasPlainScores(item)) note('scoring_changed')
  const answers = readQti12Answers(source)
  if (['correct_fb', 'general_incorrect_fb', 'correct', 'incorrect'].some((id) => feedback.has(id)))
    note('feedback_lost')
  const points = metadata.get('points_possible') ?? metadata.get('cc_weighting') ?? metadata.get('qmd_weighting')
  const stem = texts.nodes(source.stemNodes)
  const explanation = feedback.get('general_fb') ?? feedback.get('solution') ?? null
  return { content: { stem, explanation, ...(points ? { points: pointsOf(points, note) } : {}), ...answers } }
}

function readMetadata(item: MarkupElement): Map<string, string> {
  const fields = elementsOf(item, 'qtimetadatafield').map(
    (field) => [textAtPath(field, 'fieldlabel').toLowerCase(), textAtPath(field, 'fieldentry')] as const,
  )
  const older = ['qmd_itemtype', 'qmd_weighting'].flatMap((name) =>
    elementsOf(item, name).map((element) => [name, textContent(element).trim()] as const),
  )
  return new Map([...older, ...fields])
}

function readFeedback(item: MarkupElement, texts: TextReader): Map<string, QuestionDoc> {
  const feedback = new Map<string, QuestionDoc>()
  for (const element of childrenOf(item, 'itemfeedback')) {
    const text = texts.optional(texts.nodes(materialOf(element)))
    if (text) feedback.set(element.attributes.ident ?? '', text)
  }
  return feedback
}

const RESPONSES = /^response_(lid|str|num|xy|grp)$/
const CONTAINERS = new Set(['flow', 'flow_mat', 'flow_label', 'p', 'presentation'])

/** The text before and between the responses; their names are in brackets when text follows them. */
function stemOf(node: MarkupElement, isMarked: boolean): Markup[] {
  return node.children.flatMap((child): Markup[] => {
    if (typeof child === 'string') return []
    if (child.name === 'material') return materialNodes(child)
    if (isMarked && RESPONSES.test(child.name)) return [` [${child.attributes.ident ?? ''}] `]
    return CONTAINERS.has(child.name) ? stemOf(child, isMarked) : []
  })
}

function responsesOf(presentation: MarkupElement): ReadResponse[] {
  return elementsAt(presentation, (name) => RESPONSES.test(name)).map((element) => ({
    ident: element.attributes.ident ?? '',
    name: element.name,
    cardinality: (element.attributes.rcardinality ?? 'Single').toLowerCase(),
    prompt: childrenOf(element, 'material').flatMap(materialNodes),
    isText:
      element.name === 'response_str' ||
      element.name === 'response_num' ||
      elementsOf(element, 'render_fib').length > 0,
    isNumber: elementsOf(element, 'render_fib').some(({ attributes }) =>
      /integer|decimal/i.test(attributes.fibtype ?? ''),
    ),
    labels: elementsOf(element, 'response_label').map((label) => ({
      ident: label.attributes.ident ?? '',
      nodes: materialOf(label),
    })),
    ...(element.name === 'response_xy' ? imageAreasOf(element) : { areas: [], image: null }),
  }))
}

function imageAreasOf(element: MarkupElement): Pick<ReadResponse, 'areas' | 'image'> {
  const [image] = elementsOf(element, 'matimage')
  const areas = elementsOf(element, 'response_label').map((label) => ({
    shape: (label.attributes.rarea ?? '').toLowerCase(),
    coords: textContent(label).trim(),
  }))
  return { areas, image: image?.attributes.uri ?? null }
}

function elementsAt(node: MarkupElement, matches: (name: string) => boolean): MarkupElement[] {
  return node.children.flatMap((child) => {
    if (typeof child === 'string') return []
    return matches(child.name) ? [child] : elementsAt(child, matches)
  })
}

const materialOf = (element: MarkupElement): Markup[] =>
  elementsAt(element, (name) => name === 'material').flatMap(materialNodes)

/** The texts and images of a material; its HTML is escaped. */
function materialNodes(material: MarkupElement): Markup[] {
  return material.children.flatMap((child): Markup[] => {
    if (typeof child === 'string') return []
    const text = textContent(child)
    if (child.name === 'mattext' || child.name === 'matemtext') {
      const isHtml = child.attributes.texttype === 'text/html' || /<\/?[a-z][^<>]{0,500}>/i.test(text)
      return [
        isHtml
          ? { name: 'div', attributes: {}, children: parseHtml(text).children }
          : { name: 'span', attributes: {}, children: [text] },
      ]
    }
    if (child.name === 'matimage')
      return [{ name: 'img', attributes: { src: child.attributes.uri ?? '', alt: '' }, children: [] }]
    if (child.name === 'matbreak') return [{ name: 'br', attributes: {}, children: [] }]
    return []
  })
}
