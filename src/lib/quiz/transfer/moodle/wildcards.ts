const WILDCARD = /(?<!\\)\*/

/** Whether an answer contains an asterisk that matches any text. */
export const hasWildcard = (answers: readonly { text: string }[]): boolean =>
  answers.some(({ text }) => WILDCARD.test(text))

/** An asterisk that is not a wildcard is escaped by a backslash. */
export const unescapeAsterisks = <Answer extends { text: string }>(answers: readonly Answer[]): Answer[] =>
  answers.map((answer) => ({ ...answer, text: answer.text.replaceAll('\\*', '*') }))
