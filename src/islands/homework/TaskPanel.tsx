import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import { api } from '#islands/stores/api.ts'
import { showFailure, showSuccess } from '#islands/stores/notice.ts'
import { Button } from '#islands/ui/Button.tsx'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import type { TaskPanelProps, TaskProps } from './task-props.ts'

// The text editor is loaded with the first task that is opened.
const TaskEditor = lazy(() => import('./TaskEditor.tsx'))

export default asIsland('tasks', TaskPanel)

/** The tasks of a lesson, each opened for editing by its title or by the event `task:open`. */
function TaskPanel(props: TaskPanelProps) {
  const t = createTranslator(props.strings, props.locale)
  const [tasks, setTasks] = useState(props.tasks)
  const [open, setOpen] = useState<string | null>(null)
  const [deleted, setDeleted] = useState<TaskProps | null>(null)
  const section = useRef<HTMLElement>(null)

  useEffect(() => {
    const show = (event: Event) => {
      const taskId: unknown = event instanceof CustomEvent ? event.detail?.taskId : null
      if (typeof taskId !== 'string') return
      void api.homework.listTasks({ lessonId: props.lessonId }, { context: { isQuiet: true } }).then((fresh) => {
        setTasks(fresh)
        setOpen(taskId)
        section.current?.scrollIntoView({ block: 'start' })
      }, showFailure)
    }
    document.addEventListener('task:open', show)
    return () => document.removeEventListener('task:open', show)
  }, [props.lessonId])

  // A title that was opened before the panel became interactive.
  useEffect(() => {
    const opened = section.current?.querySelector<HTMLElement>('details[open]')
    if (opened) setOpen(opened.dataset.task ?? null)
  }, [])

  const add = async () => {
    const { taskId } = await api.homework.addTask({ lessonId: props.lessonId })
    setTasks(await api.homework.listTasks({ lessonId: props.lessonId }))
    setOpen(taskId)
  }
  const remove = async (task: TaskProps) => {
    await api.homework.deleteTask({ taskId: task.id })
    setTasks((all) => all.filter(({ id }) => id !== task.id))
    setDeleted(task)
    showSuccess(t('homework:task.deleted'))
  }
  const restore = async (task: TaskProps) => {
    await api.homework.restoreTask({ taskId: task.id })
    setDeleted(null)
    setTasks(await api.homework.listTasks({ lessonId: props.lessonId }))
  }

  return (
    <section ref={section} aria-labelledby="tasks-heading" className="grid scroll-mt-20 gap-4">
      <h2 id="tasks-heading" className="font-semibold text-lg">
        {t('homework:task.heading')}
      </h2>
      {tasks.length === 0 && <p className="text-muted">{t('homework:task.none')}</p>}
      {tasks.map((task) => (
        <details
          key={task.id}
          className="card-line"
          data-task={task.id}
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
            <Suspense fallback={<div className="skeleton-line m-3 h-48" />}>
              <TaskEditor {...props} task={task} t={t} onRemove={() => void remove(task).catch(showFailure)} />
            </Suspense>
          )}
        </details>
      ))}
      <div className="needs-script flex flex-wrap gap-3">
        <Button onClick={() => void add().catch(showFailure)}>+ {t('homework:task.add')}</Button>
        {deleted && (
          <Button tone="quiet" onClick={() => void restore(deleted).catch(showFailure)}>
            {t('homework:task.restore', { title: deleted.title || t('homework:task.untitled') })}
          </Button>
        )}
      </div>
    </section>
  )
}
