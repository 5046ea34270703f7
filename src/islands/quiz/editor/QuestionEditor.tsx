import './question-editor.css'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import { useDraft } from '#islands/stores/draft/draft.ts'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import { FieldFrame } from '#islands/ui/Field.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import { Select } from '#islands/ui/Select.tsx'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { DIFFICULTIES } from '#lib/core/shared/quiz.ts'
import { createTranslator, type Translate } from '#lib/core/shared/text/strings.ts'
import { questionIssues } from '#lib/quiz/question/rules.ts'
import type { QuestionContent, QuestionDraft } from '#lib/quiz/question/schema.ts'
import { DecimalField } from '../fields/DecimalField.tsx'
import { OptionalText } from '../fields/OptionalText.tsx'
import { QuestionText } from '../fields/QuestionText.tsx'
import { TypeFields } from '../fields/TypeFields.tsx'
import { issueFinder } from './issue-text.ts'
import { QuestionPreview } from './QuestionPreview.tsx'
import { questionDraftOptions, textOfDraft } from './question-draft.ts'
import type { QuestionEditorProps } from './question-props.ts'
import { usePreview } from './use-preview.ts'

export default asIsland('question', QuestionEditor)

/** Edits a question of the bank, with a preview next to the form. */
function QuestionEditor({ question, html, tags, owner, title, locale, strings }: QuestionEditorProps) {
  const t = useMemo(() => createTranslator(strings, locale), [strings, locale])
  const draft = useDraft(questionDraftOptions(question, owner, title))
  const { content } = draft.value
  const issues = questionIssues(content)
  const issueAt = issueFinder(issues, t)
  const preview = usePreview(content, html)
  const setContent = (next: QuestionContent) => draft.update((now) => ({ ...now, content: next }))
  return (
    <div className="question-editor" data-question={question.id} data-ready={draft.isReady || undefined}>
      <fieldset aria-label={title} className="grid min-w-0 content-start gap-5" onBlur={draft.flush}>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span className="font-medium text-sm">{t(`quizeditor:type.${content.type}`)}</span>
          <SaveState state={draft.state} locale={locale} t={t} />
        </div>
        {draft.state.kind === 'conflict' && (
          <ConflictChoice
            mine={textOfDraft(draft.state.mine)}
            theirs={textOfDraft(draft.state.theirs)}
            onChoose={draft.resolve}
            t={t}
          />
        )}
        {issues.length > 0 && (
          <p role="status" className="card-line border-s-4 border-s-warning p-3 text-sm" data-issues={issues.length}>
            {t('quizeditor:incomplete', { count: issues.length })}
          </p>
        )}
        <QuestionText
          label={t('quizeditor:stem')}
          value={content.stem}
          error={issueAt('stem')}
          onChange={(stem) => setContent({ ...content, stem })}
          t={t}
        />
        <TypeFields content={content} onChange={setContent} issueAt={issueAt} t={t} />
        <OptionalText
          label={t('quizeditor:explanation')}
          addLabel={t('quizeditor:addQuestionExplanation')}
          value={content.explanation}
          onChange={(explanation) => setContent({ ...content, explanation })}
          t={t}
        />
        <div className="grid gap-3 sm:grid-cols-2">
          <DecimalField
            label={t('quizeditor:points')}
            value={content.points}
            min={0}
            max={1000}
            decimals={2}
            onChange={(points) => setContent({ ...content, points })}
          />
          <DecimalField
            label={t('quizeditor:penalty')}
            hint={t('quizeditor:penaltyHint')}
            error={issueAt('penalty')}
            value={content.penalty}
            min={0}
            max={1000}
            decimals={2}
            onChange={(penalty) => setContent({ ...content, penalty })}
          />
        </div>
        <Checkbox
          label={t('quizeditor:partialCredit')}
          checked={content.partialCredit}
          onChange={({ target }) => setContent({ ...content, partialCredit: target.checked })}
        />
        <LabelFields
          value={draft.value}
          onChange={(labels) => draft.update((now) => ({ ...now, ...labels }))}
          tags={tags}
          t={t}
        />
      </fieldset>
      <section aria-labelledby="question-preview" className="question-editor-preview">
        <h2 id="question-preview" className="mb-3 font-semibold">
          {t('quizeditor:preview')}
        </h2>
        <div className="card-line p-4">
          <QuestionPreview content={content} html={preview} idPrefix="preview" t={t} />
        </div>
      </section>
    </div>
  )
}

interface LabelFieldsProps {
  value: QuestionDraft
  onChange: (labels: Partial<QuestionDraft>) => void
  tags: readonly string[]
  t: Translate
}

function LabelFields({ value, onChange, tags, t }: LabelFieldsProps) {
  return (
    <>
      <TagField value={value.tags} onChange={(next) => onChange({ tags: next })} known={tags} t={t} />
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label={t('quizeditor:difficultyLabel')}
          options={DIFFICULTIES.map((level) => ({ value: String(level), label: t(`quizeditor:difficulty.${level}`) }))}
          value={String(value.difficulty)}
          onChange={({ target }) => onChange({ difficulty: Number(target.value) })}
        />
        <Select
          label={t('quizeditor:languageLabel')}
          options={LOCALES.map((name) => ({ value: name, label: t(`quizeditor:language.${name}`) }))}
          value={value.locale}
          onChange={({ target }) => onChange({ locale: LOCALES.find((name) => name === target.value) ?? value.locale })}
        />
      </div>
    </>
  )
}

interface TagFieldProps {
  value: readonly string[]
  onChange: (tags: string[]) => void
  known: readonly string[]
  t: Translate
}

function TagField({ value, onChange, known, t }: TagFieldProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const add = () => {
    const added = typed
      .split(',')
      .map((tag) => tag.trim().slice(0, 40))
      .filter((tag) => tag !== '')
    setTyped('')
    if (added.length > 0) onChange([...new Set([...value, ...added])].slice(0, 20))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ',') return
    event.preventDefault()
    add()
  }
  return (
    <FieldFrame id={id} label={t('quizeditor:tags')} hint={t('quizeditor:tagsHint')}>
      {value.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {value.map((tag) => (
            <li key={tag}>
              <button
                type="button"
                className="filter-chip"
                onClick={() => onChange(value.filter((other) => other !== tag))}
              >
                <span className="sr-only">{t('quizeditor:removeTag')}</span> {tag} <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        className="input w-full"
        list={`${id}-tags`}
        value={typed}
        aria-describedby={`${id}-hint`}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={onKeyDown}
        onBlur={add}
      />
      <datalist id={`${id}-tags`}>
        {known.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </FieldFrame>
  )
}
