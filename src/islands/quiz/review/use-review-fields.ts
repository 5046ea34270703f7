import { type RefObject, useCallback, useEffect, useRef } from 'react'
import type { DraftHandle } from '#islands/stores/draft/draft.ts'
import { mergeChanges, stableJson } from '#lib/core/shared/merge.ts'
import type { AttemptReviewDraft } from '#lib/quiz/review/schema.ts'
import { findUnmarkedField, readFields, validateScores, writeFields } from './review-form.ts'

interface ReviewFieldsOptions {
  /** An element within the form. */
  root: RefObject<HTMLElement | null>
  draft: DraftHandle<AttemptReviewDraft>
  questionIds: readonly string[]
  locale: string
  /** Replaces posting the form. */
  onSubmit: () => void
}

/** Connects the draft of a review with the fields of the form that the server has rendered. */
export function useReviewFields({ root, draft, questionIds, locale, onSubmit }: ReviewFieldsOptions) {
  const page = useRef<HTMLElement | null>(null)
  const form = useRef<HTMLFormElement | null>(null)
  const latest = useRef({ draft, onSubmit })
  latest.current = { draft, onSubmit }
  const rendered = useRef(draft.value)

  useEffect(() => {
    const element = root.current?.closest('form') ?? null
    form.current = element
    page.current = element?.closest<HTMLElement>('[data-attempt-review]') ?? element
    if (!element) return undefined
    const onInput = () => {
      const { draft: typed, invalid } = readFields(element, questionIds)
      validateScores(element, questionIds, invalid)
      latest.current.draft.type(typed)
    }
    const onLeaveField = () => latest.current.draft.flush()
    const onSubmitForm = (event: Event) => {
      event.preventDefault()
      latest.current.onSubmit()
    }
    element.addEventListener('input', onInput)
    element.addEventListener('focusout', onLeaveField)
    element.addEventListener('submit', onSubmitForm)
    return () => {
      element.removeEventListener('input', onInput)
      element.removeEventListener('focusout', onLeaveField)
      element.removeEventListener('submit', onSubmitForm)
    }
  }, [root, questionIds])

  // Text that was typed before hydration takes precedence over the draft of this device.
  useEffect(() => {
    if (!draft.isReady || !form.current) return
    const { draft: typed } = readFields(form.current, questionIds)
    if (stableJson(typed) === stableJson(rendered.current)) return
    latest.current.draft.update((now) => mergeChanges(now, rendered.current, typed).merged)
  }, [draft.isReady, questionIds])

  useEffect(() => {
    if (form.current && draft.isReady) writeFields(form.current, draft.value, locale)
  }, [draft.value, draft.isReady, locale])

  return {
    page,
    validate: useCallback((): boolean => {
      if (!form.current) return true
      return validateScores(form.current, questionIds, readFields(form.current, questionIds).invalid)
    }, [questionIds]),
    focusUnmarked: useCallback(() => {
      const field = form.current && findUnmarkedField(form.current)
      field?.focus()
      field?.scrollIntoView({ block: 'center' })
    }, []),
  }
}
