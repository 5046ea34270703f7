/** The result of a rule: whether it allows the action, and the reason as a message key. */
export interface Verdict {
  allow: boolean
  because: string
}

export const allow = (because: string): Verdict => ({ allow: true, because })
export const deny = (because: string): Verdict => ({ allow: false, because })
