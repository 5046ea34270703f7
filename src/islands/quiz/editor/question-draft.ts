import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import type { DraftOptions } from '#islands/stores/draft/draft.ts'
import { saveOutcomeOf } from '#islands/stores/draft/draft-outcome.ts'
import type { ConflictResolution, MergeTexts, SaveOutcome } from '#islands/stores/draft/draft-settings.ts'
import { mergeChanges, stableJson } from '#lib/core/shared/merge.ts'
import { plainTextOf } from '#lib/quiz/question/rich-text-schema.ts'
import { QuestionDraft } from '#lib/quiz/question/schema.ts'
import type { QuestionProps } from './question-props.ts'

/** The draft of a question: changes of different fields are merged, changes of the same field are a conflict. */
export function questionDraftOptions(
  question: QuestionProps,
  owner: string,
  title: string,
): DraftOptions<QuestionDraft> {
  const { id: questionId, revision, draft } = question
  return {
    owner,
    key: `quiz/question/${questionId}`,
    title,
    value: draft,
    version: revision,
    isSame: (a, b) => stableJson(a) === stableJson(b),
    merge: mergeQuestions,
    save: async (value, base, isLeaving) => {
      // A draft that the schema rejects stays on this device until it is changed.
      const parsed = QuestionDraft.safeParse(value)
      if (!parsed.success) return { kind: 'refused', message: '' }
      const { content, ...labels } = parsed.data
      try {
        const saved = await api.quiz.updateQuestion(
          { questionId, revision: base, content, labels },
          { context: { isQuiet: true, isLeaving } },
        )
        return { kind: 'saved', version: saved.revision }
      } catch (error) {
        return CallError.from(error).status === 409
          ? loadNewer(questionId)
          : saveOutcomeOf<QuestionDraft>(error, () => undefined)
      }
    },
  }
}

async function loadNewer(questionId: string): Promise<SaveOutcome<QuestionDraft>> {
  try {
    const newer = await api.quiz.getQuestion({ questionId }, { context: { isQuiet: true } })
    return { kind: 'conflict', version: newer.revision, value: QuestionDraft.parse(newer) }
  } catch (error) {
    return saveOutcomeOf<QuestionDraft>(error, () => undefined)
  }
}

/** Merges two changes of a question. Null when both changed the same field and no choice is given. */
export function mergeQuestions(
  { base, mine, theirs }: MergeTexts<QuestionDraft>,
  choice?: ConflictResolution,
): QuestionDraft | null {
  const { merged, conflicts } = mergeChanges(theirs, base, mine)
  if (conflicts.length > 0 && choice === undefined) return null
  const preferred = choice === 'theirs' ? mergeChanges(mine, base, theirs).merged : merged
  const parsed = QuestionDraft.safeParse(preferred)
  return parsed.success ? parsed.data : null
}

/** The texts of a question, one per line, for comparing two versions. */
export function textOfDraft({ content }: QuestionDraft): string {
  const lines = [plainTextOf(content.stem)]
  if ('options' in content)
    lines.push(...content.options.map((option) => `${percentOf(option.fraction)} ${plainTextOf(option.content)}`))
  if ('accepted' in content)
    lines.push(
      ...content.accepted.map((entry) =>
        'text' in entry
          ? entry.text
          : entry.kind === 'value'
            ? `${entry.value} ± ${entry.tolerance}`
            : `${entry.min}–${entry.max}`,
      ),
    )
  if ('prompts' in content) lines.push(...content.prompts.map((prompt) => plainTextOf(prompt.content)))
  if ('choices' in content) lines.push(...content.choices.map((choice) => plainTextOf(choice.content)))
  if ('items' in content) lines.push(...content.items.map((item) => plainTextOf(item.content)))
  if (content.explanation) lines.push(plainTextOf(content.explanation))
  return lines.join('\n')
}

const percentOf = (fraction: number): string => `${Math.round(fraction * 100)}%`
