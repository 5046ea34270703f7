import { api } from '#islands/stores/api.ts'
import { type DraftOptions, useDraft } from '#islands/stores/draft/draft.ts'
import { saveOutcomeOf } from '#islands/stores/draft/draft-outcome.ts'
import { Button } from '#islands/ui/Button.tsx'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { SaveTask, TaskText } from '#lib/homework/task/schema.ts'
import { TaskForm } from './TaskForm.tsx'
import { type TaskPanelProps, type TaskProps, toTaskText } from './task-props.ts'

interface Props extends Pick<TaskPanelProps, 'owner' | 'zone' | 'locale'> {
  task: TaskProps
  t: Translate
  onRemove: () => void
}

/** A task's form with its draft. */
export default function TaskEditor({ task, owner, zone, locale, t, onRemove }: Props) {
  const draft = useDraft(createDraft(task, owner))
  return (
    <div className="grid gap-4 border-base-300 border-t p-3 sm:p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SaveState state={draft.state} locale={locale} t={t} />
        <Button tone="quiet" small className="ms-auto" onClick={onRemove}>
          {t('homework:task.delete')}
        </Button>
      </div>
      {draft.state.kind === 'conflict' && (
        <ConflictChoice
          mine={draft.state.mine.title}
          theirs={draft.state.theirs.title}
          onChoose={draft.resolve}
          t={t}
        />
      )}
      <TaskForm task={task} draft={draft} zone={zone} locale={locale} t={t} />
    </div>
  )
}

function createDraft(task: TaskProps, owner: string): DraftOptions<TaskText> {
  const { id: taskId, version, title } = task
  return {
    owner,
    key: `homework/task/${taskId}`,
    title,
    value: TaskText.parse(toTaskText(task)),
    version,
    save: async (text, base, leaving) => {
      // An incomplete task stays on this device until it is valid.
      const parsed = SaveTask.safeParse({ ...text, taskId, version: base })
      if (!parsed.success) return { kind: 'refused', message: '' }
      try {
        const saved = await api.homework.saveTask(parsed.data, { context: { isQuiet: true, isLeaving: leaving } })
        document.dispatchEvent(new CustomEvent('task:saved', { detail: { taskId } }))
        return { kind: 'saved', version: saved.version }
      } catch (error) {
        return saveOutcomeOf(error, ({ task: newer }) => TaskText.safeParse(newer).data)
      }
    },
  }
}
