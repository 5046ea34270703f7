/** The result of a rule: whether it allows the action, and the reason as a message key. */
export interface Verdict {
  allow: boolean
  reason: string
}

export const allow = (reason: string): Verdict => ({ allow: true, reason })
export const deny = (reason: string): Verdict => ({ allow: false, reason })
