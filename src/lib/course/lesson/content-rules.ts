/**
 * Whether headings follow each other as an outline does: the first is a heading of the second level, since the page's
 * own title is the first, and none skips a level downwards (WCAG 2.2, technique G141).
 */
export function areHeadingsOrdered(levels: readonly number[]): boolean {
  return levels.every((level, index) => level <= (levels[index - 1] ?? 1) + 1)
}

export interface ContentIssues {
  lessonId: string
  title: string
  /** Pictures that say nothing to those who cannot see them. */
  imagesWithoutAlt: number
  /** Headings that skip a level. */
  hasUnorderedHeadings: boolean
  /** Slots for a test that hold none. */
  emptyTestCount: number
}

/** Whether there is anything to say of a lesson. */
export function hasContentIssues({ imagesWithoutAlt, hasUnorderedHeadings, emptyTestCount }: ContentIssues): boolean {
  return imagesWithoutAlt > 0 || hasUnorderedHeadings || emptyTestCount > 0
}
