import { useState } from 'react'
import { RuleEditor } from '#islands/rule/RuleEditor.tsx'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { ActionDialog } from '#islands/ui/dialog/ActionDialog.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { Select } from '#islands/ui/Select.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { LessonSettingsChange, OutlineLesson } from '#lib/course/outline/schema.ts'
import type { CompletionRule } from '#lib/course/schema.ts'
import type { OutlineStore } from '../outline/outline-store.ts'
import type { OutlineContext } from '../outline/outline-view.ts'

interface Props {
  lesson: OutlineLesson
  context: OutlineContext
  store: OutlineStore
  onClose: () => void
}

/** Settings of a lesson. Only changed fields are sent. */
export function LessonDialog({ lesson, context: { t, zone, locale }, store, onClose }: Props) {
  const [change, setChange] = useState<LessonSettingsChange>({})
  const [minutes, setMinutes] = useState(lesson.durationMinutes === null ? '' : String(lesson.durationMinutes))
  const applyChange = (part: LessonSettingsChange) => setChange((before) => ({ ...before, ...part }))
  const shown = { ...lesson, ...change }
  const typedMinutes = minutes.trim() === '' ? null : Number(minutes)
  const isInvalid =
    typedMinutes !== null && !(Number.isInteger(typedMinutes) && typedMinutes >= 1 && typedMinutes <= 600)
  const save = () => {
    if (isInvalid) return
    const changes = typedMinutes === lesson.durationMinutes ? change : { ...change, durationMinutes: typedMinutes }
    if (Object.keys(changes).length > 0)
      void store.change([lesson.id], changes, t('outline:notice.set', { title: lesson.title }))
    onClose()
  }
  return (
    <ActionDialog
      title={t('outline:lesson.title')}
      text={lesson.title}
      cancelLabel={t('shell:button.cancel')}
      actionLabel={t('shell:button.save')}
      onAction={save}
      onClose={onClose}
    >
      <RuleEditor
        value={shown.availability}
        onChange={(availability) => applyChange({ availability })}
        zone={zone}
        locale={locale}
        t={t}
      />
      <CompletionChoice
        t={t}
        value={shown.completionRule}
        onChange={(completionRule) => applyChange({ completionRule })}
      />
      <Field
        label={t('outline:lesson.minutes')}
        hint={t('outline:lesson.minutesHint')}
        error={isInvalid ? t('outline:lesson.minutesWrong') : undefined}
        inputMode="numeric"
        value={minutes}
        onChange={({ target }) => setMinutes(target.value)}
      />
      <Checkbox
        label={t('outline:lesson.required')}
        hint={t('outline:lesson.requiredHint')}
        checked={shown.required}
        onChange={({ target }) => applyChange({ required: target.checked })}
      />
      <Checkbox
        label={t('outline:lesson.free')}
        hint={t('outline:lesson.freeHint')}
        checked={shown.freePreview}
        onChange={({ target }) => applyChange({ freePreview: target.checked })}
      />
      <Checkbox
        label={t('outline:lesson.hidden')}
        hint={t('outline:lesson.hiddenHint')}
        checked={shown.hidden}
        onChange={({ target }) => applyChange({ hidden: target.checked })}
      />
    </ActionDialog>
  )
}

const MODES = ['manual', 'watched', 'taskAccepted', 'testPassed'] as const
const DEFAULT_WATCHED_PERCENT = 90

interface CompletionChoiceProps {
  t: Translate
  value: CompletionRule
  onChange: (rule: CompletionRule) => void
}

function CompletionChoice({ t, value, onChange }: CompletionChoiceProps) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Select
        className={value.mode === 'watched' ? '' : 'sm:col-span-2'}
        label={t('outline:completion.label')}
        options={MODES.map((mode) => ({ value: mode, label: t(`outline:completion.${mode}`) }))}
        value={value.mode}
        onChange={({ target }) => {
          const mode = MODES.find((candidate) => candidate === target.value) ?? 'manual'
          onChange(mode === 'watched' ? { mode, percent: DEFAULT_WATCHED_PERCENT } : { mode })
        }}
      />
      {value.mode === 'watched' && (
        <Field
          type="number"
          min={1}
          max={100}
          label={t('outline:completion.percent')}
          defaultValue={value.percent}
          onChange={({ target }) => {
            const percent = target.valueAsNumber
            if (Number.isInteger(percent) && percent >= 1 && percent <= 100) onChange({ mode: 'watched', percent })
          }}
        />
      )}
    </div>
  )
}
