import type { z } from 'zod'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { SetSections } from '#lib/quiz/schema.ts'
import type { SectionView } from '#lib/quiz/sections.ts'

type Section = z.input<typeof SetSections>['sections'][number]

/** The sections of a test as input of `setSections`. */
export function sectionInputs(sections: readonly SectionView[]): Section[] {
  return sections.map(
    ({ id, title, pick, bankId, tags, difficulty, count, points, questions }): Section =>
      pick === 'random'
        ? { id, title, pick, bankId, tags, difficulty, count: count ?? 1, points }
        : {
            id,
            title,
            pick,
            questions: questions.map(({ questionId, ownPoints }) => ({ questionId, points: ownPoints })),
          },
  )
}

/** Changes one section; null removes it. Refuses with not_found for an unknown section. */
export function changeSection(
  sections: readonly Section[],
  sectionId: string,
  change: (section: Section) => Section | null,
): Section[] {
  if (!sections.some(({ id }) => id === sectionId)) throw new Refusal('not_found')
  return sections.flatMap((section) => (section.id === sectionId ? (change(section) ?? []) : section))
}

/** Adds questions to a fixed section, except those that the test already contains. */
export function addQuestions(
  sections: readonly Section[],
  sectionId: string,
  questionIds: readonly string[],
): Section[] {
  const known = new Set(sections.flatMap((section) => questionIdsOf(section)))
  const added = [...new Set(questionIds)].filter((id) => !known.has(id))
  return changeSection(sections, sectionId, (section) => {
    if (section.pick !== 'fixed') throw new Refusal('unprocessable')
    return {
      ...section,
      questions: [...section.questions, ...added.map((questionId) => ({ questionId, points: null }))],
    }
  })
}

const questionIdsOf = (section: Section): string[] =>
  section.pick === 'fixed' ? section.questions.map(({ questionId }) => questionId) : []

/** Moves an item of a list by one position. */
export function moveById<T>(list: readonly T[], index: number, direction: -1 | 1): T[] {
  const target = index + direction
  const moved = list[index]
  if (moved === undefined || target < 0 || target >= list.length) return [...list]
  return list.toSpliced(index, 1).toSpliced(target, 0, moved)
}
