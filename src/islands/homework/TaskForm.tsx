import { useState } from 'react'
import { RichText } from '#islands/editor/RichText.tsx'
import { IntegerField } from '#islands/field/IntegerField.tsx'
import { FilePicker } from '#islands/picker/FilePicker.tsx'
import { RuleEditor } from '#islands/rule/RuleEditor.tsx'
import type { DraftHandle } from '#islands/stores/draft/draft.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { Field, FieldFrame } from '#islands/ui/Field.tsx'
import { Select } from '#islands/ui/Select.tsx'
import { GRADINGS, LATE_POLICIES, TASK_TYPES } from '#lib/core/shared/learning.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { MAX_ANSWER_FILE_BYTES, maxBytesForType } from '#lib/homework/rules.ts'
import { ACCEPT_KINDS, MAX_FILES, type TaskText } from '#lib/homework/task/schema.ts'
import { RubricEditor } from './RubricEditor.tsx'
import type { TaskPanelProps, TaskProps } from './task-props.ts'

interface Props extends Pick<TaskPanelProps, 'zone' | 'locale'> {
  task: TaskProps
  draft: DraftHandle<TaskText>
  t: Translate
}

const MEGABYTE = 1024 * 1024
/** A due date cannot depend on earlier lessons: it must be a known moment. */
const DUE_MODES = ['date', 'afterStart'] as const

/** The form of a task. */
export function TaskForm({ task, draft, zone, locale, t }: Props) {
  const { value } = draft
  const type = (change: Partial<TaskText>) => draft.type({ ...value, ...change })
  const options = <T extends string>(all: readonly T[], group: string) =>
    all.map((option) => ({ value: option, label: t(keyFrom(`homework:task.${group}.${option}`)) }))
  const chosen = <T extends string>(all: readonly T[], value: string): T | undefined =>
    all.find((known) => known === value)
  return (
    <fieldset className="grid min-w-0 gap-5" aria-label={value.title} onBlur={draft.flush}>
      <Field
        label={t('homework:task.title')}
        value={value.title}
        maxLength={160}
        onChange={(event) => type({ title: event.target.value })}
      />
      <RichText
        label={t('homework:task.instructions')}
        value={value.instructions}
        files
        onChange={(instructions) => type({ instructions })}
        t={t}
      />
      <AttachedFiles
        task={task}
        value={value.fileIds}
        onChange={(fileIds) => type({ fileIds })}
        t={t}
        locale={locale}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label={t('homework:task.type')}
          hint={t(value.type === 'video' ? 'homework:task.videoHint' : 'homework:task.typeHint')}
          options={options(TASK_TYPES, 'types')}
          value={value.type}
          onChange={({ target }) => {
            const next = chosen(TASK_TYPES, target.value) ?? value.type
            type({ type: next, maxBytes: maxBytesForType(next, value.maxBytes) })
          }}
        />
        <IntegerField
          label={t('homework:task.maxFiles')}
          value={value.maxFiles}
          min={1}
          max={MAX_FILES}
          required
          onChange={(maxFiles) => type({ maxFiles: maxFiles ?? value.maxFiles })}
        />
        <IntegerField
          label={t('homework:task.maxMegabytes')}
          hint={value.type === 'video' ? t('homework:task.maxMegabytesHint') : undefined}
          value={Math.round(value.maxBytes / MEGABYTE)}
          min={1}
          max={MAX_ANSWER_FILE_BYTES / MEGABYTE}
          required
          onChange={(size) => type({ maxBytes: (size ?? 1) * MEGABYTE })}
        />
        <IntegerField
          label={t('homework:task.maxAttempts')}
          hint={t('homework:task.maxAttemptsHint')}
          value={value.maxAttempts}
          min={1}
          max={50}
          onChange={(maxAttempts) => type({ maxAttempts })}
        />
      </div>
      {value.type === 'file' && (
        <fieldset className="grid gap-2">
          <legend className="field-label">{t('homework:task.accept')}</legend>
          <div className="flex flex-wrap gap-x-6">
            {ACCEPT_KINDS.map((kind) => (
              <Checkbox
                key={kind}
                label={t(`homework:task.accepted.${kind}`)}
                checked={value.acceptTypes.includes(kind)}
                onChange={({ target }) =>
                  type({
                    acceptTypes: ACCEPT_KINDS.filter((known) =>
                      known === kind ? target.checked : value.acceptTypes.includes(known),
                    ),
                  })
                }
              />
            ))}
          </div>
          <p className="field-hint">{t('homework:task.acceptHint')}</p>
        </fieldset>
      )}
      <Checkbox
        label={t('homework:task.required')}
        hint={t('homework:task.requiredHint')}
        checked={value.required}
        onChange={({ target }) => type({ required: target.checked })}
      />
      <Checkbox
        label={t('homework:task.hasTerm')}
        checked={value.dueRule !== null}
        onChange={({ target }) =>
          type({ dueRule: target.checked ? { mode: 'afterStart', days: 7, time: '23:00', zone } : null })
        }
      />
      {value.dueRule && (
        <>
          <RuleEditor
            label={t('homework:task.term')}
            value={value.dueRule}
            onChange={(dueRule) => type({ dueRule })}
            zone={zone}
            locale={locale}
            modes={DUE_MODES}
            t={t}
          />
          <Select
            label={t('homework:task.late')}
            options={options(LATE_POLICIES, 'latePolicy')}
            value={value.latePolicy}
            onChange={({ target }) => type({ latePolicy: chosen(LATE_POLICIES, target.value) ?? value.latePolicy })}
          />
        </>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label={t('homework:task.grading')}
          options={options(GRADINGS, 'gradings')}
          value={value.grading}
          onChange={({ target }) => {
            const grading = chosen(GRADINGS, target.value) ?? value.grading
            type({ grading, maxPoints: grading === 'points' ? (value.maxPoints ?? 10) : value.maxPoints })
          }}
        />
        <IntegerField
          label={t('homework:task.slaHours')}
          hint={t('homework:task.slaHoursHint')}
          value={value.slaHours}
          min={1}
          max={2160}
          onChange={(slaHours) => type({ slaHours })}
        />
        {value.grading === 'points' && (
          <>
            <IntegerField
              label={t('homework:task.maxPoints')}
              value={value.maxPoints}
              min={1}
              max={1000}
              required
              onChange={(maxPoints) => type({ maxPoints })}
            />
            <IntegerField
              label={t('homework:task.passPoints')}
              hint={t('homework:task.passPointsHint')}
              error={
                value.passPoints !== null && value.passPoints > (value.maxPoints ?? 0)
                  ? t('errors:homework_pass_above')
                  : undefined
              }
              value={value.passPoints}
              min={1}
              max={1000}
              onChange={(passPoints) => type({ passPoints })}
            />
          </>
        )}
      </div>
      <RubricEditor value={value.rubric} onChange={(rubric) => type({ rubric })} t={t} />
      <Checkbox
        label={t('homework:task.hasSample')}
        checked={value.showSample === 'afterAccept'}
        onChange={({ target }) =>
          type({
            showSample: target.checked ? 'afterAccept' : 'never',
            sampleAnswer: value.sampleAnswer ?? { type: 'doc', content: [{ type: 'paragraph' }] },
          })
        }
      />
      {value.showSample === 'afterAccept' && value.sampleAnswer && (
        <RichText
          label={t('homework:task.sample')}
          value={value.sampleAnswer}
          files
          onChange={(sampleAnswer) => type({ sampleAnswer })}
          t={t}
        />
      )}
    </fieldset>
  )
}

interface AttachedFilesProps {
  task: TaskProps
  value: string[]
  onChange: (value: string[]) => void
  t: Translate
  locale: TaskPanelProps['locale']
}

function AttachedFiles({ task, value, onChange, t, locale }: AttachedFilesProps) {
  const [open, setOpen] = useState(false)
  const [names, setNames] = useState(() => new Map(task.files.map(({ id, name }) => [id, name])))
  return (
    <FieldFrame id={`files-${task.id}`} label={t('homework:task.files')}>
      {value.length > 0 && (
        <ul className="grid gap-1">
          {value.map((id) => (
            <li key={id} className="flex items-center justify-between gap-2">
              <span className="min-w-0 truncate">{names.get(id) ?? t('homework:task.fileGone')}</span>
              <Button tone="quiet" small onClick={() => onChange(value.filter((fileId) => fileId !== id))}>
                {t('homework:task.removeFile')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Button small id={`files-${task.id}`} className="mt-1 justify-self-start" onClick={() => setOpen(true)}>
        {t('homework:task.addFile')}
      </Button>
      <FilePicker
        open={open}
        onOpenChange={setOpen}
        kinds={['file', 'image', 'pdf', 'audio', 'video']}
        t={t}
        locale={locale}
        onPick={({ id, name }) => {
          setNames(new Map(names).set(id, name))
          if (!value.includes(id)) onChange([...value, id])
        }}
      />
    </FieldFrame>
  )
}
