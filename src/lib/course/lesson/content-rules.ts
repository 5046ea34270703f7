/**
 * Whether headings follow each other as an outline does: the first is a heading of the second level, since the page's
 * own title is the first, and none skips a level downwards (WCAG 2.2, technique G141).
 */
export function isOutline(levels: readonly number[]): boolean {
  return levels.every((level, index) => level <= (levels[index - 1] ?? 1) + 1)
}

export interface ContentFlaw {
  lessonId: string
  title: string
  /** Pictures that say nothing to those who cannot see them. */
  silentPictures: number
  /** Headings that skip a level. */
  brokenOutline: boolean
  /** Slots for a test that hold none. */
  emptyTests: number
}

/** Whether there is anything to say of a lesson. */
export function isFlawed({ silentPictures, brokenOutline, emptyTests }: ContentFlaw): boolean {
  return silentPictures > 0 || brokenOutline || emptyTests > 0
}
