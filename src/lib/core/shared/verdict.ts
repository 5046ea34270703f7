/** The answer of every rule: whether, and the reason as a key that a page can put into words. */
export interface Verdict {
  allow: boolean
  because: string
}

export const allow = (because: string): Verdict => ({ allow: true, because })
export const deny = (because: string): Verdict => ({ allow: false, because })
