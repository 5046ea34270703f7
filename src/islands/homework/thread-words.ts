/* A message that is half written stays on this device; it is a line or two, so the simplest shelf will do. */

/** The shelf of a talk: of a person, about a task, with a student. */
export const shelfOf = (owner: string, taskId: string, studentId = ''): string => `${owner} ${taskId} ${studentId}`

const nameOf = (shelf: string): string => `homework/talk ${shelf}`

export function keptWords(shelf: string): string {
  try {
    return localStorage.getItem(nameOf(shelf)) ?? ''
  } catch {
    return ''
  }
}

export function keepWords(shelf: string, words: string): void {
  try {
    if (words === '') localStorage.removeItem(nameOf(shelf))
    else localStorage.setItem(nameOf(shelf), words)
  } catch {
    // It stays in the field as long as the page does.
  }
}
