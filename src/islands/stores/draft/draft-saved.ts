import type { ServerText } from './draft-parts.ts'

/*
 * A component that is mounted again on the same page, e.g. after an error, is given the text of that page once more,
 * although it was saved since.
 */
interface SavedText {
  /** The page, and the version that it gave. */
  page: unknown
  given: number
  text: ServerText<unknown>
}

const savedTexts = new Map<string, SavedText>()
const MOST_SAVED_TEXTS = 10

/** Remembers what was saved of a text that a page gave in the version `given`. */
export function rememberSaved(name: string, saved: SavedText): void {
  savedTexts.delete(name)
  savedTexts.set(name, saved)
  const [oldest] = savedTexts.keys()
  if (savedTexts.size > MOST_SAVED_TEXTS && oldest !== undefined) savedTexts.delete(oldest)
}

/** What was saved since the same page gave the same version of this text; otherwise the text that is given now. */
export function newestKnown<T>(name: string, page: unknown, given: ServerText<T>): ServerText<T> {
  const saved = savedTexts.get(name)
  return saved && saved.page === page && saved.given === given.version ? (saved.text as ServerText<T>) : given
}
