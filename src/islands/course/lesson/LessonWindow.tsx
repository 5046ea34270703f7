import { useState } from 'react'
import { RuleEditor } from '#islands/rule/RuleEditor.tsx'
import { Button } from '#islands/ui/Button.tsx'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { Select } from '#islands/ui/Select.tsx'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { LessonChange, OutlineLesson } from '#lib/course/outline/schema.ts'
import type { CompletionRule } from '#lib/course/schema.ts'
import type { OutlineStore } from '../outline/outline-store.ts'
import type { OutlineWords } from '../outline/outline-view.ts'

interface Props {
  lesson: OutlineLesson
  words: OutlineWords
  store: OutlineStore
  onClose: () => void
}

/** How a lesson opens, how it is completed, and who sees it. Only what is changed here is sent. */
export function LessonWindow({ lesson, words: { say, zone }, store, onClose }: Props) {
  const [change, setChange] = useState<LessonChange>({})
  const [minutes, setMinutes] = useState(lesson.durationMinutes === null ? '' : String(lesson.durationMinutes))
  const set = (some: LessonChange) => setChange((before) => ({ ...before, ...some }))
  const shown = { ...lesson, ...change }
  const asked = minutes.trim() === '' ? null : Number(minutes)
  const wrong = asked !== null && !(Number.isInteger(asked) && asked >= 1 && asked <= 600)
  const save = () => {
    if (wrong) return
    const all = asked === lesson.durationMinutes ? change : { ...change, durationMinutes: asked }
    if (Object.keys(all).length > 0)
      void store.change([lesson.id], all, say('outline:said.set', { title: lesson.title }))
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={say('outline:lesson.title')}
      text={lesson.title}
      closeLabel={say('shell:button.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="primary" onClick={save}>
            {say('shell:button.save')}
          </Button>
        </>
      )}
    >
      <div className="grid gap-5">
        <RuleEditor
          value={shown.availability}
          onChange={(availability) => set({ availability })}
          zone={zone}
          say={say}
        />
        <CompletionChoice
          say={say}
          value={shown.completionRule}
          onChange={(completionRule) => set({ completionRule })}
        />
        <Field
          label={say('outline:lesson.minutes')}
          hint={say('outline:lesson.minutesHint')}
          error={wrong ? say('outline:lesson.minutesWrong') : undefined}
          inputMode="numeric"
          value={minutes}
          onChange={({ target }) => setMinutes(target.value)}
        />
        <Checkbox
          label={say('outline:lesson.required')}
          hint={say('outline:lesson.requiredHint')}
          checked={shown.required}
          onChange={({ target }) => set({ required: target.checked })}
        />
        <Checkbox
          label={say('outline:lesson.free')}
          hint={say('outline:lesson.freeHint')}
          checked={shown.freePreview}
          onChange={({ target }) => set({ freePreview: target.checked })}
        />
        <Checkbox
          label={say('outline:lesson.hidden')}
          hint={say('outline:lesson.hiddenHint')}
          checked={shown.hidden}
          onChange={({ target }) => set({ hidden: target.checked })}
        />
      </div>
    </Dialog>
  )
}

const MODES = ['manual', 'watched', 'taskAccepted', 'testPassed'] as const
const MOST = 90

interface Choice {
  say: Say
  value: CompletionRule
  onChange: (rule: CompletionRule) => void
}

function CompletionChoice({ say, value, onChange }: Choice) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Select
        className={value.mode === 'watched' ? '' : 'sm:col-span-2'}
        label={say('outline:completion.label')}
        options={MODES.map((mode) => ({ value: mode, label: say(`outline:completion.${mode}`) }))}
        value={value.mode}
        onChange={({ target }) => {
          const mode = MODES.find((one) => one === target.value) ?? 'manual'
          onChange(mode === 'watched' ? { mode, percent: MOST } : { mode })
        }}
      />
      {value.mode === 'watched' && (
        <Field
          type="number"
          min={1}
          max={100}
          label={say('outline:completion.percent')}
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
