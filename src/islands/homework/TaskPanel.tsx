import { useEffect, useRef, useState } from 'react'
import { mountIsland } from '#islands/mount/mount.ts'
import { api } from '#islands/stores/api.ts'
import { type DraftOptions, useDraft } from '#islands/stores/draft/draft.ts'
import { saveOutcomeOf } from '#islands/stores/draft/draft-outcome.ts'
import { showFailure, showSuccess } from '#islands/stores/notice.ts'
import { Button } from '#islands/ui/Button.tsx'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import { createTranslator, type Translate } from '#lib/core/shared/text/strings.ts'
import { SaveTask, TaskText } from '#lib/homework/task/schema.ts'
import { TaskForm } from './TaskForm.tsx'
import { type TaskPanelProps, type TaskProps, toTaskText } from './task-props.ts'

/** Mounts the tasks of a lesson; `open` is the task to open first. Returns how to unmount. */
export function mountTaskPanel(place: HTMLElement, props: TaskPanelProps, open: string | null): () => void {
  return mountIsland(place, 'tasks', <TaskPanel {...props} first={open} />).unmount
}

function TaskPanel({ first, ...props }: TaskPanelProps & { first: string | null }) {
  const t = createTranslator(props.strings, props.locale)
  const [tasks, setTasks] = useState(props.tasks)
  const [open, setOpen] = useState(first)
  const [gone, setGone] = useState<TaskProps | null>(null)
  const place = useRef<HTMLElement>(null)

  useEffect(() => {
    const show = (event: Event) => {
      const taskId: unknown = event instanceof CustomEvent ? event.detail?.taskId : null
      if (typeof taskId !== 'string') return
      void api.homework.listTasks({ lessonId: props.lessonId }, { context: { isQuiet: true } }).then((fresh) => {
        setTasks(fresh)
        setOpen(taskId)
        place.current?.scrollIntoView({ block: 'start' })
      }, showFailure)
    }
    document.addEventListener('task:open', show)
    return () => document.removeEventListener('task:open', show)
  }, [props.lessonId])

  const add = async () => {
    const { taskId } = await api.homework.addTask({ lessonId: props.lessonId })
    setTasks(await api.homework.listTasks({ lessonId: props.lessonId }))
    setOpen(taskId)
  }
  const remove = async (task: TaskProps) => {
    await api.homework.deleteTask({ taskId: task.id })
    setTasks((all) => all.filter(({ id }) => id !== task.id))
    setGone(task)
    showSuccess(t('homework:task.deleted'))
  }
  const restore = async (task: TaskProps) => {
    await api.homework.restoreTask({ taskId: task.id })
    setGone(null)
    setTasks(await api.homework.listTasks({ lessonId: props.lessonId }))
  }

  return (
    <section ref={place} aria-labelledby="tasks-heading" className="grid scroll-mt-20 gap-4">
      <h2 id="tasks-heading" className="font-semibold text-lg">
        {t('homework:task.heading')}
      </h2>
      {tasks.length === 0 && <p className="text-muted">{t('homework:task.none')}</p>}
      {tasks.map((task) => (
        <details
          key={task.id}
          className="card-line"
          open={task.id === open}
          onToggle={({ currentTarget }) => {
            if (currentTarget.open) setOpen(task.id)
            else if (open === task.id) setOpen(null)
          }}
        >
          <summary className="flex min-h-11 flex-wrap items-center gap-x-3 p-3 font-semibold">
            {task.title || t('homework:task.untitled')}
          </summary>
          {task.id === open && (
            <TaskEditor {...props} task={task} t={t} onRemove={() => void remove(task).catch(showFailure)} />
          )}
        </details>
      ))}
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => void add().catch(showFailure)}>+ {t('homework:task.add')}</Button>
        {gone && (
          <Button tone="quiet" onClick={() => void restore(gone).catch(showFailure)}>
            {t('homework:task.restore', { title: gone.title || t('homework:task.untitled') })}
          </Button>
        )}
      </div>
    </section>
  )
}

type TaskEditorProps = TaskPanelProps & { task: TaskProps; t: Translate; onRemove: () => void }

function TaskEditor({ task, t, onRemove, ...props }: TaskEditorProps) {
  const draft = useDraft(createDraft(task, props.owner))
  return (
    <div className="grid gap-4 border-base-300 border-t p-3 sm:p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SaveState state={draft.state} locale={props.locale} t={t} />
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
      <TaskForm task={task} draft={draft} zone={props.zone} locale={props.locale} t={t} />
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
      const whole = SaveTask.safeParse({ ...text, taskId, version: base })
      if (!whole.success) return { kind: 'refused', message: '' }
      try {
        const saved = await api.homework.saveTask(whole.data, { context: { isQuiet: true, isLeaving: leaving } })
        document.dispatchEvent(new CustomEvent('task:saved', { detail: { taskId } }))
        return { kind: 'saved', version: saved.version }
      } catch (error) {
        return saveOutcomeOf(error, ({ task: newer }) => TaskText.safeParse(newer).data)
      }
    },
  }
}
