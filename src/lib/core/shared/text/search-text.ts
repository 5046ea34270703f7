/**
 * A text in the form in which searches in the browser compare it: lower case, composed letters and one kind of
 * apostrophe, as in the database function `search_text`.
 */
export function foldForSearch(text: string): string {
  return text
    .normalize()
    .toLocaleLowerCase('uk')
    .replace(/[’ʼ‘´`′]/g, "'")
}
