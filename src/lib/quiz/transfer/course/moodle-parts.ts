import { childAt, childrenOf, type Markup, type MarkupElement, textAtPath } from '#lib/course/transfer/markup.ts'
import { element, elementWithText, htmlText } from './moodle-elements.ts'

export interface PartSource {
  source: MarkupElement
  plugin: MarkupElement | undefined
  settings: MarkupElement | undefined
  answers: BackupAnswer[]
}

interface BackupAnswer {
  id: string
  text: string
  format: string
  fraction: number
  feedback: string
  feedbackFormat: string
}

export function answersOf(plugin: MarkupElement | undefined): BackupAnswer[] {
  return childrenOf(childAt(plugin, 'answers'), 'answer').map((answer) => ({
    id: answer.attributes.id ?? '',
    text: textAtPath(answer, 'answertext'),
    format: textAtPath(answer, 'answerformat'),
    fraction: Number.parseFloat(textAtPath(answer, 'fraction')) || 0,
    feedback: textAtPath(answer, 'feedback'),
    feedbackFormat: textAtPath(answer, 'feedbackformat'),
  }))
}

/** The elements of Moodle XML that depend on the type. */
export function partsOf(type: string, parts: PartSource): Markup[] {
  const { settings, answers, plugin } = parts
  switch (type) {
    case 'truefalse':
      return trueFalse(parts)
    case 'match':
    case 'ddmatch':
      return matchingParts(parts)
    case 'numerical':
      return [...answers.map((answer) => answerElement(answer, [tolerance(parts, answer)])), ...units(plugin)]
    case 'ordering':
      return [...settingElements(settings), ...answers.map((answer) => answerElement(answer, [], answer.fraction))]
    case 'gapselect':
      return answers.map((answer) => choice('selectoption', answer.text, answer.feedback || '1'))
    case 'ddwtos':
      return answers.map((answer) => choice('dragbox', answer.text, groupOf(answer.feedback)))
    case 'essay':
      return essay(parts)
    default:
      return [...settingElements(settings), ...answers.map((answer) => answerElement(answer))]
  }
}

/** Settings as elements of their own, as Moodle XML has them. */
const settingElements = (settings: MarkupElement | undefined): Markup[] =>
  (settings?.children ?? []).filter((child) => typeof child !== 'string' && !child.name.endsWith('feedback'))

/** Shares are percentages in Moodle XML, and parts of 1 in backups; an ordering has numbers. */
function answerElement(answer: BackupAnswer, more: Markup[] = [], fraction = answer.fraction * 100): MarkupElement {
  const { id, text, format, feedback, feedbackFormat } = answer
  return htmlText('answer', text, format, `answer/${id}`, { fraction: String(fraction) }, [
    htmlText('feedback', feedback, feedbackFormat, `answerfeedback/${id}`),
    ...more,
  ])
}

/** The texts are in the language of the site; the settings contain the ids of both answers. */
function trueFalse({ settings, answers }: PartSource): Markup[] {
  return (['true', 'false'] as const).flatMap((name) => {
    const answer = answers.find(({ id }) => id === textAtPath(settings, `${name}answer`))
    return answer ? [answerElement({ ...answer, text: name })] : []
  })
}

function matchingParts({ plugin }: PartSource): Markup[] {
  const group = childAt(plugin, 'matches') ?? childAt(plugin, 'matchs')
  return (group?.children ?? []).flatMap((match) => {
    if (typeof match === 'string') return []
    const answer = element('answer', [elementWithText('text', textAtPath(match, 'answertext'))])
    const [text, format] = [textAtPath(match, 'questiontext'), textAtPath(match, 'questiontextformat')]
    return [htmlText('subquestion', text, format, `subquestion/${match.attributes.id ?? ''}`, {}, [answer])]
  })
}

function tolerance({ plugin }: PartSource, { id }: BackupAnswer): MarkupElement {
  const records = childrenOf(childAt(plugin, 'numerical_records'), 'numerical_record')
  const record = records.find((candidate) => textAtPath(candidate, 'answer') === id)
  return elementWithText('tolerance', textAtPath(record, 'tolerance') || '0')
}

function units(plugin: MarkupElement | undefined): Markup[] {
  const list = childrenOf(childAt(plugin, 'numerical_units'), 'numerical_unit')
  if (list.length === 0) return []
  const elements = list.map((unit) => element('unit', [elementWithText('unit_name', textAtPath(unit, 'unit'))]))
  return [element('units', elements)]
}

const choice = (name: string, text: string, group: string): MarkupElement =>
  element(name, [elementWithText('text', text), elementWithText('group', group)])

/** Moodle keeps the group of a draggable word in a serialized object. */
const groupOf = (feedback: string): string =>
  /"draggroup";(?:i:|s:\d{1,3}:")(\d{1,3})/.exec(feedback)?.[1] ?? (feedback.trim() || '1')

function essay({ settings, source }: PartSource): Markup[] {
  const id = source.attributes.id ?? ''
  const formatted = (name: string) =>
    htmlText(name, textAtPath(settings, name), textAtPath(settings, `${name}format`), `${name}/${id}`)
  const own = settingElements(settings).filter(
    (child) => typeof child !== 'string' && !/^(graderinfo|responsetemplate)/.test(child.name),
  )
  return [...own, formatted('graderinfo'), formatted('responsetemplate')]
}
