import type { QuestionType } from '#lib/core/shared/quiz.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { AnswerSheet, ServerAnswer } from './answer-sheet.ts'
import type { AttemptProps } from './attempt-props.ts'
import type { AttemptStatus } from './attempt-status.ts'
import { enhanceHotspot } from './hotspot-field.ts'
import { showNumberNotes } from './number-note.ts'
import { enhanceOrdering, sortByPosition } from './ordering-field.ts'

interface FieldsContext {
  root: HTMLElement
  form: HTMLFormElement | null
  props: AttemptProps
  t: Translate
  status: AttemptStatus
  sheet: AnswerSheet
  signal: AbortSignal
}

export interface QuestionFields {
  /** Shows the values that the script has set in the fields of a question. */
  redraw(questionId: string): void
  showFlag(questionId: string, flagged: boolean): void
  /** Replaces a question by the server's HTML. */
  refresh(questionId: string): Promise<void>
  /** Shows the feedback of answers that became final on another device. */
  refreshClosed(questionIds: readonly string[]): void
  isFileQuestion(questionId: string): boolean
  /** Shows files that another device has added or removed. */
  refreshFiles(answers: readonly ServerAnswer[]): void
}

/** Observes the fields of the questions, and enhances those that plain HTML does not support. */
export function bindQuestions({ root, form, props, t, status, sheet, signal }: FieldsContext): QuestionFields {
  const redraws = new Map<string, () => void>()
  const typeOf = (questionId: string) => props.questions.find((question) => question.questionId === questionId)?.type
  const placeOf = (questionId: string) => root.querySelector<HTMLElement>(`[data-question="${questionId}"]`)
  const fileRevisions = new Map(props.questions.map(({ questionId, revision }) => [questionId, revision]))
  /** Questions that have changed during an upload of this page, and are refreshed after it. */
  const refreshedLater = new Set<string>()

  function enhance(questionId: string): void {
    const place = placeOf(questionId)
    if (!place || !props.isOpen || place.dataset.closed !== undefined) return
    const onChange = () => {
      sheet.readChanges(questionId)
      void sheet.queue.flush()
    }
    const type = typeOf(questionId)
    if (type === 'ordering') {
      enhanceOrdering(place, { t, announce: status.announce, onChange })
      redraws.set(questionId, () => sortByPosition(place))
    }
    // Dragging changes the coordinates often, so they are sent with the delay of typing.
    if (type === 'hotspot')
      redraws.set(questionId, enhanceHotspot(place, { t, onChange: () => sheet.readChanges(questionId) }))
    if (type === 'essay') {
      const count = () => showWords(place, t)
      redraws.set(questionId, count)
      count()
    }
    if (type === 'number' || type === 'gapMixed') {
      const check = () => showNumberNotes(place, t)
      redraws.set(questionId, check)
      check()
    }
    if (type === 'fileUpload') {
      const { owner, attemptId, locale } = props
      const onUploaded = () => {
        if (refreshedLater.delete(questionId)) void refresh(questionId)
      }
      void import('./file-field.ts').then(({ enhanceFiles }) => {
        if (!signal.aborted) enhanceFiles(place, { owner, attemptId, questionId, locale, t, signal, onUploaded })
      })
    }
  }

  const handleField = ({ target, type }: Event) => {
    const questionId =
      target instanceof Element ? target.closest<HTMLElement>('[data-question]')?.dataset.question : null
    if (!questionId || typeOf(questionId) === 'fileUpload') return
    sheet.readChanges(questionId)
    if (LIVE_TYPES.has(typeOf(questionId))) redraws.get(questionId)?.()
    // A selection is complete immediately; typing continues.
    if (type === 'change') void sheet.queue.flush()
  }
  form?.addEventListener('input', handleField, { signal })
  form?.addEventListener('change', handleField, { signal })
  for (const { questionId } of props.questions) enhance(questionId)

  async function refresh(questionId: string): Promise<void> {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => null)
    if (!response?.ok || signal.aborted) return
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const next = page.querySelector<HTMLElement>(`[data-question="${questionId}"]`)
    const place = placeOf(questionId)
    if (!next || !place) return
    const hadFocus = place.contains(document.activeElement)
    place.replaceWith(document.adoptNode(next))
    enhance(questionId)
    if (hadFocus) {
      const heading = next.querySelector<HTMLElement>('h2, h3')
      heading?.setAttribute('tabindex', '-1')
      heading?.focus({ preventScroll: true })
    }
  }

  return {
    redraw: (questionId) => redraws.get(questionId)?.(),
    showFlag(questionId, flagged) {
      status.showMark(questionId, { flagged })
      const button = placeOf(questionId)?.querySelector<HTMLButtonElement>('[data-flag]')
      if (!button) return
      button.value = `${flagged ? 'unflag' : 'flag'}:${questionId}`
      button.setAttribute('aria-pressed', String(flagged))
      const label = button.querySelector('[data-flag-label]')
      if (label) label.textContent = t(flagged ? 'attempt:page.unflag' : 'attempt:page.flag')
    },
    refresh,
    refreshClosed(questionIds) {
      for (const questionId of questionIds) {
        const place = placeOf(questionId)
        if (place && place.dataset.closed === undefined) void refresh(questionId)
      }
    },
    isFileQuestion: (questionId) => typeOf(questionId) === 'fileUpload',
    refreshFiles(answers) {
      for (const { questionId, revision } of answers) {
        if (typeOf(questionId) !== 'fileUpload' || revision <= (fileRevisions.get(questionId) ?? 0)) continue
        fileRevisions.set(questionId, revision)
        // Uploads of this page would be interrupted by a replacement of their list.
        if (placeOf(questionId)?.querySelector('[data-upload]')) refreshedLater.add(questionId)
        else void refresh(questionId)
      }
    },
  }
}

/** Types with texts that follow the typing: a count of words, notes on numbers. */
const LIVE_TYPES: ReadonlySet<QuestionType | undefined> = new Set(['essay', 'number', 'gapMixed'])

function showWords(place: HTMLElement, t: Translate): void {
  const text = place.querySelector('textarea')?.value ?? ''
  const count = text.trim() === '' ? 0 : text.trim().split(/\s+/).length
  const counter = place.querySelector<HTMLElement>('[data-words]')
  if (counter) counter.textContent = t('attempt:page.words', { count })
}
