import { useCallback, useState } from 'react'
import { useWords } from '../stage/stage-words.ts'
import { failedWords } from './chat-words.ts'

/** Runs acts and keeps in words what the last one failed with. */
export function useRun() {
  const { say, locale } = useWords()
  const [words, setWords] = useState('')
  const run = useCallback(
    (act: () => Promise<unknown>) => {
      setWords('')
      act().catch((error: unknown) => setWords(failedWords(say, error, locale)))
    },
    [say, locale],
  )
  return { words, run }
}
