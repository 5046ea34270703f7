import { customColumn, customFieldIdOf, type ImportField, type ImportTarget } from '#lib/core/shared/student-import.ts'
import type { StudentField } from '../fields/schema.ts'
import { foldHeading, type HeadingMeaning, headingMeaning } from './headings.ts'
import { beginsWithSurname } from './names.ts'

const SAMPLE_ROWS = 200

/**
 * The probable meaning of each column: the target that the school chose for the heading, else the custom field of that
 * name, else a common heading, and without headings the content of the cells. `storedChoices` has folded headings as keys.
 */
export function guessMapping(
  heading: readonly string[] | null,
  rows: readonly (readonly string[])[],
  storedChoices: ReadonlyMap<string, ImportTarget | null>,
  fields: readonly Pick<StudentField, 'id' | 'name'>[] = [],
): (ImportTarget | null)[] {
  const sample = rows.slice(0, SAMPLE_ROWS)
  const width = Math.max(heading?.length ?? 0, ...sample.map((row) => row.length))
  const cellsOf = (column: number) => sample.map((row) => row[column] ?? '').filter((cell) => cell !== '')
  const guesses = Array.from({ length: width }, (_, column): Guess => {
    const title = foldHeading(heading?.[column] ?? '')
    if (title === '') return { meaning: heading ? null : meaningOfCells(cellsOf(column)) }
    return chosenTarget(title, storedChoices, fields) ?? { meaning: headingMeaning(heading?.[column] ?? '') }
  })
  const meanings = guesses.map((guess) => ('meaning' in guess ? guess.meaning : null))
  chooseEmail(guesses, meanings, cellsOf)
  chooseNames(guesses, meanings, cellsOf)
  const usedTargets = new Set<ImportTarget>()
  return guesses.map((guess, column) => {
    const target = 'target' in guess ? guess.target : fieldOf(meanings[column])
    if (!target || usedTargets.has(target)) return null
    usedTargets.add(target)
    return target
  })
}

type Guess = { target: ImportTarget | null } | { meaning: HeadingMeaning }

const fieldOf = (meaning: HeadingMeaning | undefined): ImportField | null =>
  !meaning || meaning === 'name' ? null : meaning

function chosenTarget(
  title: string,
  storedChoices: ReadonlyMap<string, ImportTarget | null>,
  fields: readonly Pick<StudentField, 'id' | 'name'>[],
): Guess | null {
  const before = storedChoices.get(title)
  const fieldId = customFieldIdOf(before ?? null)
  // A custom field may have been deleted since.
  if (before !== undefined && (fieldId === null || fields.some(({ id }) => id === fieldId))) return { target: before }
  const field = fields.find(({ name }) => foldHeading(name) === title)
  return field ? { target: customColumn(field.id) } : null
}

function meaningOfCells(cells: readonly string[]): HeadingMeaning {
  if (cells.some((cell) => cell.includes('@'))) return 'email'
  return cells.some((cell) => /\p{L}{2,}/u.test(cell)) ? 'name' : null
}

/** The column of addresses contains some: a heading alone may be that of their kind, or of a consent. */
function chooseEmail(
  guesses: readonly Guess[],
  meanings: HeadingMeaning[],
  cellsOf: (column: number) => readonly string[],
): void {
  if (guesses.some((guess) => 'target' in guess && guess.target === 'email')) return
  const addressesIn = (column: number) => cellsOf(column).filter((cell) => cell.includes('@')).length
  const named = [...meanings.keys()].filter((column) => meanings[column] === 'email')
  if (named.some((column) => addressesIn(column) > 0)) {
    for (const column of named) if (addressesIn(column) === 0) meanings[column] = null
    return
  }
  const free = [...guesses.keys()].filter((column) => 'meaning' in (guesses[column] ?? {}))
  const best = free.toSorted((left, right) => addressesIn(right) - addressesIn(left))[0]
  if (best === undefined || addressesIn(best) === 0) return
  for (const column of named) meanings[column] = null
  meanings[best] = 'email'
}

/** «Ім’я» is the given name next to a surname, otherwise the whole name, in the order of most of its cells. */
function chooseNames(
  guesses: readonly Guess[],
  meanings: HeadingMeaning[],
  cellsOf: (column: number) => readonly string[],
): void {
  const hasTarget = (field: ImportField) =>
    meanings.includes(field) || guesses.some((guess) => 'target' in guess && guess.target === field)
  const whole: readonly ImportField[] = ['fullName', 'surnameFirst']
  for (const [column, meaning] of meanings.entries()) {
    if (meaning !== 'name') continue
    if (hasTarget('lastName')) meanings[column] = hasTarget('firstName') ? null : 'firstName'
    else if (hasTarget('firstName') || whole.some(hasTarget)) meanings[column] = null
    else meanings[column] = beginsWithSurname(cellsOf(column)) ? 'surnameFirst' : 'fullName'
  }
  // The separate columns of the parts are more exact than one of the whole name.
  if (!hasTarget('lastName') || !hasTarget('firstName')) return
  for (const [column, meaning] of meanings.entries())
    if (meaning === 'fullName' || meaning === 'surnameFirst') meanings[column] = null
}
