import type { ServerText } from './draft-settings.ts'

/*
 * A component that is mounted again on the same page, e.g. after an error, receives the text of that page again,
 * although a newer one was saved since.
 */
interface SavedText {
  /** The page and the version that it was rendered with. */
  page: unknown
  given: number
  text: ServerText<unknown>
}

const savedTexts = new Map<string, SavedText>()
const MAX_SAVED_TEXTS = 10

/** Stores the saved text of a field that a page was rendered with in the version `given`. */
export function rememberSavedText(name: string, saved: SavedText): void {
  savedTexts.delete(name)
  savedTexts.set(name, saved)
  const [oldest] = savedTexts.keys()
  if (savedTexts.size > MAX_SAVED_TEXTS && oldest !== undefined) savedTexts.delete(oldest)
}

/** The text that was saved since the same page was rendered with the same version; otherwise the given text. */
export function newestKnownText<T>(name: string, page: unknown, given: ServerText<T>): ServerText<T> {
  const saved = savedTexts.get(name)
  return saved && saved.page === page && saved.given === given.version ? (saved.text as ServerText<T>) : given
}
