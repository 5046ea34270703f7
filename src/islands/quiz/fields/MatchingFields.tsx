import { Select } from '#islands/ui/Select.tsx'
import { plainTextOf } from '#lib/quiz/question/rich-text-schema.ts'
import type { QuestionContentOfType } from '#lib/quiz/question/schema.ts'
import { blankItem } from '../editor/blank-question.ts'
import { removeChoice } from '../editor/question-parts.ts'
import type { FieldsProps } from '../editor/question-props.ts'
import { PartList } from './PartList.tsx'
import { QuestionText } from './QuestionText.tsx'

/** Prompts with their choices, and choices without a prompt. */
export function MatchingFields({ content, onChange, issueAt, t }: FieldsProps<QuestionContentOfType<'matching'>>) {
  const choiceName = (number: number) => t('quizeditor:matching.choice', { number })
  const choices = content.choices.map(({ id, content: text }, index) => {
    const words = plainTextOf(text).slice(0, 60)
    return { value: id, label: words ? `${index + 1}. ${words}` : choiceName(index + 1) }
  })
  return (
    <>
      <PartList
        label={t('quizeditor:matching.choices')}
        hint={t('quizeditor:matching.choicesHint')}
        error={issueAt('choices')}
        parts={content.choices}
        onChange={(next) => onChange({ ...content, choices: next })}
        onRemove={({ id }) => {
          const next = removeChoice(content, id)
          if (next.type === 'matching') onChange(next)
        }}
        nameOf={choiceName}
        addLabel={t('quizeditor:matching.addChoice')}
        create={blankItem}
        t={t}
      >
        {(choice, index, set) => (
          <QuestionText
            compact
            label={t('quizeditor:matching.choiceText', { number: index + 1 })}
            value={choice.content}
            error={issueAt('choices', index, 'content')}
            onChange={(text) => set({ ...choice, content: text })}
            t={t}
          />
        )}
      </PartList>
      <PartList
        label={t('quizeditor:matching.prompts')}
        hint={t('quizeditor:matching.promptsHint')}
        error={issueAt('prompts')}
        parts={content.prompts}
        onChange={(prompts) => onChange({ ...content, prompts })}
        nameOf={(number) => t('quizeditor:matching.prompt', { number })}
        addLabel={t('quizeditor:matching.addPrompt')}
        create={() => ({ ...blankItem(), choiceId: null })}
        t={t}
      >
        {(prompt, index, set) => (
          <div className="grid gap-3 md:grid-cols-[minmax(0,1fr)_16rem]">
            <QuestionText
              compact
              label={t('quizeditor:matching.promptText', { number: index + 1 })}
              value={prompt.content}
              error={issueAt('prompts', index, 'content')}
              onChange={(text) => set({ ...prompt, content: text })}
              t={t}
            />
            <Select
              label={t('quizeditor:matching.answer', { number: index + 1 })}
              placeholder={t('quizeditor:matching.noAnswer')}
              options={choices}
              value={prompt.choiceId ?? ''}
              error={issueAt('prompts', index, 'choiceId')}
              onChange={({ target }) => set({ ...prompt, choiceId: target.value || null })}
            />
          </div>
        )}
      </PartList>
    </>
  )
}

/** Items in the correct order. */
export function OrderingFields({ content, onChange, issueAt, t }: FieldsProps<QuestionContentOfType<'ordering'>>) {
  return (
    <PartList
      label={t('quizeditor:ordering.items')}
      hint={t('quizeditor:ordering.hint')}
      error={issueAt('items')}
      parts={content.items}
      onChange={(items) => onChange({ ...content, items })}
      nameOf={(number) => t('quizeditor:ordering.item', { number })}
      addLabel={t('quizeditor:ordering.add')}
      create={blankItem}
      t={t}
    >
      {(item, index, set) => (
        <QuestionText
          compact
          label={t('quizeditor:ordering.itemText', { number: index + 1 })}
          value={item.content}
          error={issueAt('items', index, 'content')}
          onChange={(text) => set({ ...item, content: text })}
          t={t}
        />
      )}
    </PartList>
  )
}
