import { childAt, childrenOf, textAtPath } from '../markup.ts'
import type { NoteKind } from '../schema.ts'
import type { MoodleFile } from './files.ts'
import { readPart } from './read-part.ts'
import type { MoodleContext } from './source.ts'

/** The outcome of the activity of a context; `kind` is null when it was imported. */
export interface ReadContext {
  title: string
  kind: NoteKind | null
}

/**
 * Notes every file of the backup that was not imported, each once by its bytes: with its activity, with the question
 * bank, or as an unused file.
 */
export function noteUnused({ reader, files }: MoodleContext, contexts: ReadonlyMap<string, ReadContext>): void {
  const seen = new Set<string>()
  for (const file of files) {
    if (reader.hasTaken(file.path) || seen.has(file.path)) continue
    seen.add(file.path)
    const owner = contexts.get(file.context)
    if (owner) reader.notes.add(owner.kind ?? 'filesUnused', owner.title, { files: 1 })
    else reader.notes.add(isQuestion(file) ? 'questionBank' : 'filesUnused', originOf(file), { files: 1 })
  }
}

const isQuestion = ({ component }: MoodleFile): boolean => /^(question$|qtype_|qbank_)/.test(component)

const originOf = ({ component, area }: MoodleFile): string => `${component} / ${area}`

/** Notes the categories of the question bank that have questions. */
export async function noteQuestions({ archive, reader }: MoodleContext): Promise<void> {
  if (!archive.names.includes('questions.xml')) return
  const root = await readPart(archive, 'questions.xml', 'question_categories')
  for (const category of childrenOf(root, 'question_category')) {
    const questions = childrenOf(childAt(category, 'questions'), 'question')
    const entries = childrenOf(childAt(category, 'question_bank_entries'), 'question_bank_entry')
    const count = questions.length + entries.length
    if (count > 0) reader.notes.add('questionBank', `${textAtPath(category, 'name')} (${count})`)
  }
}
