import type { Translate } from '#lib/core/shared/text/strings.ts'
import { PASSWORD_RULES } from '#lib/user/rules.ts'

/** The translated rules of a new password, for the list that marks them while typing. */
export function passwordRules(t: Translate): { label: string; pattern: string }[] {
  return PASSWORD_RULES.map(({ key, pattern }) => ({ label: t(`errors:${key}`), pattern }))
}
