import { DAY_SECONDS } from '#lib/core/shared/time.ts'
import { type MarkupElement, parseHtml, textAtPath, textContent } from '#lib/course/transfer/markup.ts'
import type { KnownSettings } from './course-tests.ts'
import { listOf } from './moodle-elements.ts'
import { dateOf, limited, pairOfDates } from './setting-values.ts'

const GRADES: Record<string, KnownSettings['gradeOf']> = { 1: 'best', 2: 'average', 3: 'first', 4: 'last' }
const EXPIRY: Record<string, KnownSettings['onExpiry']> = {
  autosubmit: 'autoSubmit',
  graceperiod: 'graceSubmit',
  autoabandon: 'discard',
}
/** When a review option applies: right after the attempt or later while the quiz is open, and after it was closed. */
const AFTER_ATTEMPT = 0x0_11_00
const AFTER_CLOSE = 0x0_00_10

/** What a quiz of Moodle says about itself; `isReduced`: something of it has no place here. */
export function moodleSettings(
  quiz: MarkupElement,
  gradePass: number,
): { settings: KnownSettings; isReduced: boolean } {
  const text = (name: string) => textAtPath(quiz, name)
  const number = (name: string) => Number.parseFloat(text(name))
  const grade = number('grade') || 0
  const secondDelay = number('delay2') || 0
  const sections = listOf(quiz, 'sections', 'section')
  const shuffles = sections.map((section) => textAtPath(section, 'shufflequestions') === '1')
  const isShuffled = sections.length > 0 ? shuffles.some(Boolean) : text('shufflequestions') === '1'
  const bands = bandsOf(quiz, grade)
  const settings: KnownSettings = {
    title: text('name'),
    ...pairOfDates(dateOf(text('timeopen')), dateOf(text('timeclose'))),
    timeLimitSec: limited(number('timelimit'), 30, 604_800),
    onExpiry: EXPIRY[text('overduehandling')] ?? 'autoSubmit',
    graceSec: limited(number('graceperiod'), 1, DAY_SECONDS) ?? 60,
    attempts: limited(number('attempts_number') || number('attempts'), 1, 100),
    delayMinutes: limited((number('delay1') || 0) / 60, 0, 525_600) ?? 0,
    gradeOf: GRADES[text('grademethod')] ?? 'best',
    passPercent: grade > 0 ? (limited((gradePass / grade) * 100, 0, 100) ?? 0) : 0,
    shuffleQuestions: isShuffled,
    shuffleOptions: text('shuffleanswers') !== '0',
    perPage: limited(number('questionsperpage'), 1, 100),
    navigation: text('navmethod') === 'sequential' ? 'forward' : 'free',
    ...feedbackOf(quiz),
    gradeBands: bands.list,
    password: text('password').slice(0, 60) || null,
  }
  const isReduced =
    bands.isReduced ||
    new Set(shuffles).size > 1 ||
    (secondDelay > 0 && secondDelay !== number('delay1')) ||
    text('subnet') !== '' ||
    !['', '-'].includes(text('browsersecurity')) ||
    text('attemptonlast') === '1'
  return { settings, isReduced }
}

function feedbackOf(quiz: MarkupElement): Pick<KnownSettings, 'feedback' | 'show'> {
  const optionOf = (name: string) => Number.parseInt(textAtPath(quiz, name), 10)
  const [marks, correctness] = [optionOf('reviewmarks'), optionOf('reviewcorrectness')]
  if (Number.isNaN(marks) && Number.isNaN(correctness)) return {}
  const isShown = (name: string, when: number) => (optionOf(name) & when) !== 0
  const names = ['reviewmarks', 'reviewcorrectness', 'reviewrightanswer', 'reviewgeneralfeedback']
  const hasAny = (when: number) => names.some((name) => isShown(name, when))
  const when = hasAny(AFTER_ATTEMPT) ? AFTER_ATTEMPT : AFTER_CLOSE
  const isImmediate = /^(immediate|interactive|adaptive)/.test(textAtPath(quiz, 'preferredbehaviour'))
  const afterwards = hasAny(AFTER_ATTEMPT) ? 'afterAttempt' : hasAny(AFTER_CLOSE) ? 'afterClose' : 'never'
  return {
    feedback: isImmediate && hasAny(AFTER_ATTEMPT) ? 'afterEach' : afterwards,
    show: {
      score: isShown('reviewmarks', when),
      correctness: isShown('reviewcorrectness', when),
      correctAnswers: isShown('reviewrightanswer', when),
      explanations: isShown('reviewgeneralfeedback', when) || isShown('reviewspecificfeedback', when),
    },
  }
}

/** Texts by grade; ours are plain and begin at a whole percentage. */
function bandsOf(quiz: MarkupElement, grade: number) {
  const rows = listOf(quiz, 'feedbacks', 'feedback').flatMap((feedback) => {
    const html = textAtPath(feedback, 'feedbacktext')
    const text = textContent(parseHtml(html)).replace(/\s+/g, ' ').trim()
    return text === '' ? [] : [{ text, html, minGrade: Number.parseFloat(textAtPath(feedback, 'mingrade')) || 0 }]
  })
  const list = rows.slice(0, 20).map(({ text, minGrade }) => ({
    fromPercent: grade > 0 ? (limited((minGrade / grade) * 100, 0, 100) ?? 0) : 0,
    text: text.slice(0, 1000).toWellFormed().trim(),
  }))
  return { list, isReduced: rows.length > 20 || rows.some(({ html }) => /<(img|a|table|video|audio)\b/i.test(html)) }
}
