import { useEffect, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { stableJson } from '#lib/core/shared/merge.ts'
import type { QuestionContent } from '#lib/quiz/question/schema.ts'
import { previewTextsOf } from './preview-texts.ts'

const DELAY_MS = 500

/**
 * The texts of a question as HTML, rendered by the server after a pause in typing. Without a network the last ones are
 * kept.
 */
export function usePreview(content: QuestionContent, initial: readonly string[]): readonly string[] {
  const texts = previewTextsOf(content)
  const key = stableJson(texts)
  const [rendered, setRendered] = useState({ key, html: initial })
  useEffect(() => {
    if (rendered.key === key) return
    let isOutdated = false
    const timer = setTimeout(() => {
      api.quiz.renderTexts({ texts: JSON.parse(key) }, { context: { isQuiet: true } }).then(
        ({ html }) => {
          if (!isOutdated) setRendered({ key, html })
        },
        () => undefined,
      )
    }, DELAY_MS)
    return () => {
      isOutdated = true
      clearTimeout(timer)
    }
  }, [key, rendered.key])
  return rendered.html
}
