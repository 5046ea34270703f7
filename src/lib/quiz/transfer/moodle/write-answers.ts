import { escapeXml } from '#lib/core/shared/text/escape.ts'
import { plainTextOf } from '../../question/rich-text-schema.ts'
import type { AcceptedText, QuestionContent, QuestionContentOfType } from '../../question/schema.ts'
import { noteMultipleShares, shareToPercent } from '../parts.ts'
import { SkippedQuestion } from '../question-reader.ts'
import { isPlainText } from '../text/plain.ts'
import { centerOf } from './number-center.ts'
import { clozeAnswer, writeMixedGaps } from './write-mixed-gaps.ts'
import type { MoodleWriter } from './writer.ts'

export interface MoodleAnswers {
  /** Moodle's name of the type. */
  type: string
  elements: string[]
  /** The text of the question when it differs from the stem. */
  stem?: string
  /** Whether the element has the points; gaps have separate ones. */
  points: boolean
}

/** The part of a question element that depends on the type. Throws SkippedQuestion. */
export function writeMoodleAnswers(content: QuestionContent, texts: MoodleWriter): MoodleAnswers {
  if (!content.partialCredit && content.type !== 'ordering' && content.type !== 'multiple') texts.note('settings_lost')
  switch (content.type) {
    case 'single':
    case 'multiple':
      return writeChoice(content, texts)
    case 'trueFalse':
      return writeTrueFalse(content, texts)
    case 'shortText':
      return writeShortText(content, texts)
    case 'number':
      return writeNumber(content, texts)
    case 'essay':
      return { type: 'essay', elements: essayElements(content, texts), points: true }
    case 'fileUpload':
      return { type: 'essay', elements: uploadElements(content), points: true }
    case 'matching':
      return writeMatching(content, texts)
    case 'ordering':
      return writeOrdering(content, texts)
    case 'gapText':
    case 'gapSelect':
      return writeCloze(content, texts)
    case 'gapMixed':
      return writeMixedGaps(content, texts)
    default:
      throw new SkippedQuestion('type_unsupported')
  }
}

const answer = (fraction: number, text: string, more: string): string =>
  `<answer fraction="${shareToPercent(fraction)}" format="plain_text"><text>${escapeXml(text)}</text>${more}</answer>`

function writeChoice(content: QuestionContentOfType<'single' | 'multiple'>, texts: MoodleWriter): MoodleAnswers {
  const answers = content.options.map(({ content: text, fraction, explanation }) => {
    const html = texts.html(text)
    const percent = content.partialCredit || fraction <= 0 ? shareToPercent(fraction) : 100
    // Files of the option precede the feedback.
    return texts
      .element('answer', html, ` fraction="${percent}"`)
      .replace('</answer>', `${texts.feedback(explanation)}</answer>`)
  })
  const shuffle = `<shuffleanswers>${content.shuffle}</shuffleanswers>`
  if (content.type === 'multiple' && !content.partialCredit) {
    const right = content.options.filter(({ fraction }) => fraction > 0)
    const isEven = content.options.every(
      ({ fraction }) => fraction <= 0 || Math.abs(fraction - 1 / right.length) < 1e-9,
    )
    if (!isEven || content.options.some(({ fraction }) => fraction < 0)) texts.note('scoring_changed')
    return { type: 'multichoiceset', elements: [shuffle, ...answers], points: true }
  }
  if (content.type === 'multiple') noteMultipleShares(content.options, texts.note)
  const single = `<single>${content.type === 'single'}</single>`
  return {
    type: 'multichoice',
    elements: [single, shuffle, '<answernumbering>abc</answernumbering>', ...answers],
    points: true,
  }
}

function writeTrueFalse(content: QuestionContentOfType<'trueFalse'>, texts: MoodleWriter): MoodleAnswers {
  const { correct, trueExplanation, falseExplanation } = content
  const elements = [
    answer(correct === true ? 1 : 0, 'true', texts.feedback(trueExplanation)),
    answer(correct === false ? 1 : 0, 'false', texts.feedback(falseExplanation)),
  ]
  return { type: 'truefalse', elements, points: true }
}

function writeShortText(content: QuestionContentOfType<'shortText'>, texts: MoodleWriter): MoodleAnswers {
  if (!content.trim || content.lenient === false) texts.note('scoring_changed')
  const answers = content.accepted.map(({ text, fraction, explanation }) =>
    answer(fraction, content.wildcards ? text : text.replaceAll('*', '\\*'), texts.feedback(explanation)),
  )
  return {
    type: 'shortanswer',
    elements: [`<usecase>${content.caseSensitive ? 1 : 0}</usecase>`, ...answers],
    points: true,
  }
}

function writeNumber({ accepted, unit }: QuestionContentOfType<'number'>, texts: MoodleWriter): MoodleAnswers {
  const answers = accepted.map((entry) => {
    const { value, tolerance } = centerOf(entry)
    if (entry.kind === 'range') texts.note('scoring_changed')
    return answer(entry.fraction, value, `<tolerance>${tolerance}</tolerance>${texts.feedback(entry.explanation)}`)
  })
  const units =
    unit === ''
      ? []
      : [
          `<units><unit><multiplier>1</multiplier><unit_name>${escapeXml(unit)}</unit_name></unit></units>`,
          '<showunits>1</showunits>',
        ]
  return { type: 'numerical', elements: [...answers, ...units], points: true }
}

function essayElements(
  { minWords, maxWords, sampleAnswer }: QuestionContentOfType<'essay'>,
  texts: MoodleWriter,
): string[] {
  return [
    '<responseformat>editor</responseformat>',
    '<responserequired>1</responserequired>',
    ...(minWords === null ? [] : [`<minwordlimit>${minWords}</minwordlimit>`]),
    ...(maxWords === null ? [] : [`<maxwordlimit>${maxWords}</maxwordlimit>`]),
    '<attachments>0</attachments>',
    ...(sampleAnswer ? [texts.rich('graderinfo', sampleAnswer)] : []),
  ]
}

const KIND_NAMES: Record<string, string> = { image: 'image', video: 'video', audio: 'audio', doc: 'document' }

function uploadElements({ acceptTypes, maxFiles, maxBytes }: QuestionContentOfType<'fileUpload'>): string[] {
  return [
    '<responseformat>noinline</responseformat>',
    '<responserequired>0</responserequired>',
    `<attachments>${maxFiles}</attachments>`,
    '<attachmentsrequired>1</attachmentsrequired>',
    `<maxbytes>${maxBytes}</maxbytes>`,
    `<filetypeslist>${acceptTypes.map((kind) => KIND_NAMES[kind] ?? kind).join(',')}</filetypeslist>`,
  ]
}

function writeMatching({ prompts, choices }: QuestionContentOfType<'matching'>, texts: MoodleWriter): MoodleAnswers {
  if (!choices.every(({ content }) => isPlainText(content))) texts.note('formatting_lost')
  const answers = new Map(
    choices.map(({ id, content }) => [id, `<answer><text>${escapeXml(plainTextOf(content))}</text></answer>`]),
  )
  const used = new Set(prompts.map(({ choiceId }) => choiceId))
  const others = choices.filter(({ id }) => !used.has(id))
  const elements = [
    '<shuffleanswers>true</shuffleanswers>',
    ...prompts.map(({ content, choiceId }) =>
      texts.element('subquestion', texts.html(content), '', answers.get(choiceId ?? '') ?? ''),
    ),
    ...others.map(({ id }) => texts.element('subquestion', '', '', answers.get(id) ?? '')),
  ]
  return { type: 'matching', elements, points: true }
}

function writeOrdering(
  { items, partialCredit }: QuestionContentOfType<'ordering'>,
  texts: MoodleWriter,
): MoodleAnswers {
  // Positions count there, and here the longest sequence in the right order.
  if (partialCredit) texts.note('scoring_changed')
  const elements = [
    '<layouttype>VERTICAL</layouttype>',
    '<selecttype>ALL</selecttype>',
    `<gradingtype>${partialCredit ? 'ABSOLUTE_POSITION' : 'ALL_OR_NOTHING'}</gradingtype>`,
    ...items.map(({ content }, index) => texts.rich('answer', content, ` fraction="${index + 1}"`)),
  ]
  return { type: 'ordering', elements, points: true }
}

/** Gaps are written into the text, all with the same weight. */
function writeCloze(content: QuestionContentOfType<'gapText' | 'gapSelect'>, texts: MoodleWriter): MoodleAnswers {
  if (content.points !== content.gaps.length) texts.note('settings_lost')
  if (content.type === 'gapText' && (!content.trim || content.lenient === false)) texts.note('scoring_changed')
  const gaps = new Map(
    content.gaps.map((gap) => [gap.id, 'options' in gap ? selectGap(gap.options) : textGap(gap.accepted, content)]),
  )
  if (
    content.type === 'gapText' &&
    content.gaps.some(({ accepted }) => accepted.some(({ explanation }) => explanation))
  )
    texts.note('feedback_lost')
  return {
    type: 'cloze',
    elements: [],
    stem: texts.html(content.stem, (id) => gaps.get(id) ?? `[[${id}]]`),
    points: false,
  }
}

const selectGap = (list: readonly { text: string; fraction: number }[]): string =>
  `{1:MULTICHOICE:${list.map(({ text, fraction }) => clozeAnswer(fraction, text)).join('~')}}`

function textGap(accepted: readonly AcceptedText[], content: QuestionContent): string {
  const kind = content.type === 'gapText' && content.caseSensitive ? 'SHORTANSWER_C' : 'SHORTANSWER'
  const isWild = content.type === 'gapText' && content.wildcards
  return `{1:${kind}:${accepted.map(({ text, fraction }) => clozeAnswer(fraction, isWild ? text : text.replaceAll('*', '\\*'))).join('~')}}`
}
