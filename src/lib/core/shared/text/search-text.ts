/**
 * A text as searches in the browser compare it: small letters and one kind of apostrophe, like the database's
 * `search_text`.
 */
export function foldForSearch(text: string): string {
  return text.toLocaleLowerCase('uk').replace(/[’ʼ‘´`′]/g, "'")
}
