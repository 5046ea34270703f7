import { useCallback, useState } from 'react'
import { useTranslation } from '../translation.ts'
import { errorTextOf } from './chat-format.ts'

/** Runs actions and returns the text of the last one's error, empty when there is none. */
export function useChatAction() {
  const { t, locale } = useTranslation()
  const [errorText, setErrorText] = useState('')
  const run = useCallback(
    (action: () => Promise<unknown>) => {
      setErrorText('')
      action().catch((error: unknown) => setErrorText(errorTextOf(t, error, locale)))
    },
    [t, locale],
  )
  return { errorText, run }
}
