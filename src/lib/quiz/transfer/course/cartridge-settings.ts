import { type MarkupElement, textAtPath } from '#lib/course/transfer/markup.ts'
import type { QuestionDoc } from '../../question/rich-text-schema.ts'
import { elementsOf } from '../xml.ts'
import type { KnownSettings } from './course-tests.ts'
import { dateOf, limited, pairOfDates } from './setting-values.ts'

const GRADES = { keep_highest: 'best', keep_latest: 'last', keep_average: 'average' } as const

interface CartridgeSettingsSource {
  /** Settings of Canvas; null for other systems. */
  meta: MarkupElement | null
  assessment: MarkupElement
  readIntro: (html: string) => QuestionDoc | null
}

/** What a cartridge says about a test; `isReduced`: something of it has no place here. */
export function cartridgeSettings({ meta, assessment, readIntro }: CartridgeSettingsSource): {
  settings: KnownSettings
  isHidden: boolean
  isReduced: boolean
} {
  return meta ? canvasSettings(meta, readIntro) : commonSettings(assessment)
}

/** The metadata of Common Cartridge: attempts, and the time in minutes. */
function commonSettings(assessment: MarkupElement) {
  const fields = new Map(
    elementsOf(assessment, 'qtimetadatafield').map((field) => [
      textAtPath(field, 'fieldlabel').toLowerCase(),
      textAtPath(field, 'fieldentry'),
    ]),
  )
  const attempts = Number.parseInt(fields.get('cc_maxattempts') ?? '', 10)
  const minutes = Number.parseFloat(fields.get('qmd_timelimit') ?? '')
  const settings: KnownSettings = {
    title: assessment.attributes.title ?? '',
    attempts: limited(attempts, 1, 100),
    timeLimitSec: limited(minutes * 60, 30, 604_800),
  }
  return { settings, isHidden: false, isReduced: false }
}

function canvasSettings(meta: MarkupElement, readIntro: (html: string) => QuestionDoc | null) {
  const text = (name: string) => textAtPath(meta, name)
  const isYes = (name: string) => text(name) === 'true'
  const isHidingResults = text('hide_results') === 'always'
  const settings: KnownSettings = {
    title: text('title'),
    intro: readIntro(text('description')),
    shuffleOptions: isYes('shuffle_answers'),
    gradeOf: GRADES[text('scoring_policy') as keyof typeof GRADES] ?? 'best',
    timeLimitSec: limited(Number.parseFloat(text('time_limit')) * 60, 30, 604_800),
    attempts: limited(Number.parseInt(text('allowed_attempts') || '1', 10), 1, 100),
    perPage: isYes('one_question_at_a_time') ? 1 : null,
    navigation: isYes('cant_go_back') ? 'forward' : 'free',
    password: text('access_code').slice(0, 60) || null,
    ...pairOfDates(dateOf(text('unlock_at')), dateOf(text('lock_at'))),
    feedback: isHidingResults ? 'never' : 'afterAttempt',
    show: { score: true, correctness: true, correctAnswers: isYes('show_correct_answers'), explanations: true },
  }
  const isReduced =
    /survey/.test(text('quiz_type')) ||
    text('ip_filter') !== '' ||
    text('hide_results') === 'until_after_last_attempt' ||
    isYes('require_lockdown_browser') ||
    text('show_correct_answers_at') !== '' ||
    isYes('anonymous_submissions')
  return { settings, isHidden: text('available') === 'false', isReduced }
}
