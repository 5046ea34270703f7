/**
 * Whether headings form an outline: the first is of level 2, because the page title is level 1, and none skips a level
 * downwards (WCAG 2.2, technique G141).
 */
export function areHeadingsOrdered(levels: readonly number[]): boolean {
  return levels.every((level, index) => level <= (levels[index - 1] ?? 1) + 1)
}

export interface ContentIssues {
  lessonId: string
  title: string
  /** Number of images without alternative text. */
  imagesWithoutAlt: number
  /** Headings that skip a level. */
  hasUnorderedHeadings: boolean
  /** Number of test blocks without a test. */
  emptyTestCount: number
  /** Number of test blocks whose test students cannot take: not published, hidden or deleted. */
  unavailableTestCount: number
}

/** Whether a lesson has any content issue. */
export function hasContentIssues(issues: ContentIssues): boolean {
  const { imagesWithoutAlt, hasUnorderedHeadings, emptyTestCount, unavailableTestCount } = issues
  return imagesWithoutAlt > 0 || hasUnorderedHeadings || emptyTestCount > 0 || unavailableTestCount > 0
}
