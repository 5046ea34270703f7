import { childAt, childrenOf, wordsAt } from '../markup.ts'
import type { NoteKind } from '../schema.ts'
import type { MoodleFile } from './files.ts'
import { readPart } from './part.ts'
import type { MoodleReading } from './source.ts'

/** What became of the activity that a context belongs to; `kind` is null for one that was imported. */
export interface ReadContext {
  title: string
  kind: NoteKind | null
}

/**
 * Notes every file of the backup that was not imported, each once by its bytes: with the activity that was not imported,
 * with the question bank, or as one that nothing shows.
 */
export function noteUnused({ pack, files }: MoodleReading, contexts: ReadonlyMap<string, ReadContext>): void {
  const seen = new Set<string>()
  for (const file of files) {
    if (pack.hasTaken(file.path) || seen.has(file.path)) continue
    seen.add(file.path)
    const owner = contexts.get(file.context)
    if (owner) pack.notes.add(owner.kind ?? 'filesUnused', owner.title, { files: 1 })
    else pack.notes.add(isQuestion(file) ? 'questionBank' : 'filesUnused', placeOf(file), { files: 1 })
  }
}

const isQuestion = ({ component }: MoodleFile): boolean => /^(question$|qtype_|qbank_)/.test(component)

const placeOf = ({ component, area }: MoodleFile): string => `${component} / ${area}`

/** Notes the categories of the question bank that have questions. */
export async function noteQuestions({ archive, pack }: MoodleReading): Promise<void> {
  if (!archive.names.includes('questions.xml')) return
  const root = await readPart(archive, 'questions.xml', 'question_categories')
  for (const category of childrenOf(root, 'question_category')) {
    const old = childrenOf(childAt(category, 'questions'), 'question')
    const entries = childrenOf(childAt(category, 'question_bank_entries'), 'question_bank_entry')
    const count = old.length + entries.length
    if (count > 0) pack.notes.add('questionBank', `${wordsAt(category, 'name')} (${count})`)
  }
}
