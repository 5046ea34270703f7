import type { FormQuestion } from '#lib/workshop/schema.ts'

/** Columns of a registrations file that `importRegistrations` reads back. */
export const FACT_COLUMNS = [
  'email',
  'name',
  'phone',
  'state',
  'registered',
  'locale',
  'timeZone',
  'marketing',
  'source',
] as const
export type FactColumn = (typeof FACT_COLUMNS)[number]

/** Columns of exports only: derived from the event, ignored by imports. */
export const ATTENDANCE_COLUMNS = ['sessionStart', 'joined', 'minutes'] as const

export interface QuestionColumn {
  id: string
  heading: string
  /** Whether a cell contains several answers. */
  multiple: boolean
}

export const VALUE_SEPARATOR = '; '

/**
 * One column per question, headed by its label. A duplicate heading, for example a question "email", gets a number:
 * `email (2)`. Answers to deleted questions have their id as heading.
 */
export function questionColumns(questions: readonly FormQuestion[], answeredIds: Iterable<string>): QuestionColumn[] {
  const usedHeadings = new Set<string>([...FACT_COLUMNS, ...ATTENDANCE_COLUMNS].map((column) => column.toLowerCase()))
  const known = new Set(questions.map(({ id }) => id))
  const removed = [...new Set(answeredIds)].filter((id) => !known.has(id)).sort()
  const current = questions.map(({ id, label, kind }) => ({ id, label, multiple: kind === 'multi' }))
  return [...current, ...removed.map((id) => ({ id, label: id, multiple: false }))].map(({ id, label, multiple }) => {
    const base = label.trim()
    let heading = base
    for (let n = 2; usedHeadings.has(heading.toLowerCase()); n += 1) heading = `${base} (${n})`
    usedHeadings.add(heading.toLowerCase())
    return { id, heading, multiple }
  })
}
