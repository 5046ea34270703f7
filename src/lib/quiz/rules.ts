import type { QuizStatus } from '#lib/core/shared/quiz.ts'
import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

interface Person {
  roles: readonly Role[]
}

const CONTENT = ['OWNER', 'DIRECTOR', 'EXPERT'] as const

/** May read the bank of questions and the tests with their keys. */
export function canReadQuizzes(person: Person): Verdict {
  if (hasRole(person, CONTENT)) return allow('manages_content')
  return hasRole(person, ['CURATOR']) ? allow('curator_reads') : deny('no_course_role')
}

/** May create, edit, publish and delete questions and tests. */
export function canEditQuizzes(person: Person): Verdict {
  if (hasRole(person, CONTENT)) return allow('manages_content')
  return hasRole(person, ['CURATOR']) ? deny('curator_reads_only') : deny('no_course_role')
}

/**
 * May read and mark attempts, give extra attempts and time. `isAssigned`: the actor is a curator of the test's course.
 */
export function canReviewAttempts(person: Person, isAssigned: boolean): Verdict {
  if (hasRole(person, CONTENT)) return allow('manages_content')
  if (!hasRole(person, ['CURATOR'])) return deny('no_review_role')
  return isAssigned ? allow('curator_assigned') : deny('curator_not_assigned')
}

/** May start, write and submit attempts: students, and only their own. */
export function canTakeQuiz(person: Person, { isOwn }: { isOwn: boolean }): Verdict {
  if (!hasRole(person, ['STUDENT'])) return deny('not_a_student')
  return isOwn ? allow('own_attempt') : deny('another_students_attempt')
}

/** May change the school's policy for all its tests. */
export function canChangePolicy(person: Person): Verdict {
  return hasRole(person, ['OWNER', 'DIRECTOR']) ? allow('manages_school') : deny('no_manager_role')
}

/** Issues that prevent the publication of a test or make it unusable. Labels are `quiz:quizIssue.<key>`. */
export const QUIZ_ISSUES = [
  'noQuestions',
  'emptySection',
  'incompleteQuestion',
  'deletedQuestion',
  'randomPoolTooSmall',
] as const
export type QuizIssueKey = (typeof QUIZ_ISSUES)[number]

export interface QuizIssue {
  key: QuizIssueKey
  /** Null: of the whole test. */
  sectionId: string | null
  questionId: string | null
  /** Of randomPoolTooSmall: matching questions, and questions to be drawn. */
  available?: number
  needed?: number
}

export interface SectionFacts {
  id: string
  pick: 'fixed' | 'random'
  count: number | null
  /** Of a fixed section. */
  questions: readonly { questionId: string; complete: boolean; deleted: boolean }[]
  /** Of a random section: complete matching questions that are in no fixed section of the test. */
  available: number
}

/**
 * The issues of a test. Random sections with the same conditions draw from the same pool: `sharedNeed` of a section is
 * the sum of their numbers.
 */
export function quizIssues(sections: readonly (SectionFacts & { sharedNeed: number })[]): QuizIssue[] {
  if (sections.length === 0) return [{ key: 'noQuestions', sectionId: null, questionId: null }]
  return sections.flatMap((section): QuizIssue[] => {
    if (section.pick === 'random') {
      if (section.available >= section.sharedNeed) return []
      const { available, sharedNeed: needed } = section
      return [{ key: 'randomPoolTooSmall', sectionId: section.id, questionId: null, available, needed }]
    }
    if (section.questions.length === 0) return [{ key: 'emptySection', sectionId: section.id, questionId: null }]
    return section.questions.flatMap(({ questionId, complete, deleted }): QuizIssue[] => {
      if (deleted) return [{ key: 'deletedQuestion', sectionId: section.id, questionId }]
      return complete ? [] : [{ key: 'incompleteQuestion', sectionId: section.id, questionId }]
    })
  })
}

/** Whether a test is available to students: published, not hidden and not deleted. */
export const isOffered = (quiz: { status: QuizStatus; hidden: boolean; deletedAt: Date | null }): boolean =>
  quiz.status === 'published' && !quiz.hidden && quiz.deletedAt === null
