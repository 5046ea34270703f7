import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { QuestionIssue } from '#lib/quiz/question/rules.ts'
import type { IssueAt } from './question-props.ts'

/** Returns a function that finds the translated issues of a field. */
export function issueFinder(issues: readonly QuestionIssue[], t: Translate): IssueAt {
  const byPath = new Map<string, string[]>()
  for (const { key, path } of issues) {
    const name = path.join('.')
    byPath.set(name, [...(byPath.get(name) ?? []), t(keyFrom(`quizeditor:issue.${key}`))])
  }
  return (...path) => byPath.get(path.join('.'))?.join(' ')
}
