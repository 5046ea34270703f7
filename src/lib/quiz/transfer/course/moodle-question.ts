import { childAt, type Markup, type MarkupElement, textAtPath } from '#lib/course/transfer/markup.ts'
import { createFinder, type MoodleFile } from '#lib/course/transfer/moodle/files.ts'
import type { FindQuestionFile } from '../text/read-text.ts'
import { elementsOf } from '../xml.ts'
import { fileInArchive } from './course-tests.ts'
import { element, elementWithText, htmlText } from './moodle-elements.ts'
import { answersOf, partsOf } from './moodle-parts.ts'

/** A question of a backup, and the parts of Cloze texts by id. */
export interface BackupQuestion {
  element: MarkupElement
  subquestions: ReadonlyMap<string, MarkupElement>
}

/** Types of backups under the names of Moodle XML. */
const TYPE_NAMES: Record<string, string> = { multianswer: 'cloze', match: 'matching' }
const COMMON_FEEDBACK = ['correctfeedback', 'partiallycorrectfeedback', 'incorrectfeedback']

/**
 * A question of a backup in the form of Moodle XML, which is read by one reader then. Texts name their files by area and
 * item, see `filesOfQuestion`. Null for one without a type.
 */
export function toMoodleXml(question: BackupQuestion): MarkupElement | null {
  const source = question.element
  const type = textAtPath(source, 'qtype')
  if (type === '') return null
  const plugin = source.children.find(
    (child): child is MarkupElement => typeof child !== 'string' && child.name === `plugin_qtype_${type}_question`,
  )
  const settings = plugin ? childAt(plugin, SETTINGS_NAMES[type] ?? type) : undefined
  const id = source.attributes.id ?? ''
  const tags = elementsOf(childAt(source, 'tags') ?? EMPTY, 'tag').map((tag) =>
    element('tag', [elementWithText('text', textAtPath(tag, 'rawname') || textAtPath(tag, 'name'))]),
  )
  const children: Markup[] = [
    element('name', [elementWithText('text', textAtPath(source, 'name'))]),
    htmlText('questiontext', stemOf(question, plugin), textAtPath(source, 'questiontextformat'), `questiontext/${id}`),
    htmlText(
      'generalfeedback',
      textAtPath(source, 'generalfeedback'),
      textAtPath(source, 'generalfeedbackformat'),
      `generalfeedback/${id}`,
    ),
    elementWithText('defaultgrade', textAtPath(source, 'defaultmark') || textAtPath(source, 'defaultgrade')),
    element('tags', tags),
    ...COMMON_FEEDBACK.map((name) => element(name, [elementWithText('text', textAtPath(settings, name))])),
    ...elementsOf(childAt(source, 'question_hints') ?? EMPTY, 'question_hint').map((hint) =>
      element('hint', [elementWithText('text', textAtPath(hint, 'hint'))]),
    ),
    ...partsOf(type, { source, plugin, settings, answers: answersOf(plugin) }),
  ]
  return { name: 'question', attributes: { type: TYPE_NAMES[type] ?? type }, children }
}

/** Where a plug-in keeps the settings of its type. */
const SETTINGS_NAMES: Record<string, string> = { match: 'matchoptions' }
const EMPTY: MarkupElement = { name: '', attributes: {}, children: [] }

/** A Cloze text has the numbers of its parts, `{#1}`; each part keeps its own source. */
function stemOf({ element: source, subquestions }: BackupQuestion, plugin: MarkupElement | undefined): string {
  const text = textAtPath(source, 'questiontext')
  if (textAtPath(source, 'qtype') !== 'multianswer') return text
  const sequence = textAtPath(childAt(plugin, 'multianswer'), 'sequence').split(',')
  return text.replace(/\{#(\d{1,3})\}/g, (marker, number: string) => {
    const part = subquestions.get(sequence[Number(number) - 1]?.trim() ?? '')
    return part ? textAtPath(part, 'questiontext') : marker
  })
}

/** Finds the files of a question by the area and item that its texts name. */
export function filesOfQuestion({ element: source }: BackupQuestion, files: readonly MoodleFile[]): FindQuestionFile {
  const type = textAtPath(source, 'qtype')
  const own = files.filter(({ component }) => component === 'question' || component === `qtype_${type}`)
  return (address) => {
    const [, area = '', item = '', path = ''] =
      /^@@PLUGINFILE@@\/:([a-z]{1,40})\/(\d{0,20}):(\/[^?#]*)/.exec(address) ?? []
    if (path === '') return null
    const ofItem = own.filter((file) => file.area === area && file.item === item)
    const found = createFinder(ofItem, area, item)(`@@PLUGINFILE@@${path}`)
    return found ? fileInArchive(found.path, found.name) : null
  }
}
