import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { ClipboardCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useEditorContext } from '../editor-context.ts'

/** Placeholder of a task, which is edited elsewhere. */
export function TaskView({ node, editor }: NodeViewProps) {
  const { t, lesson } = useEditorContext()
  const taskId = String(node.attrs.taskId ?? '')
  const title = useTaskTitle(taskId, editor)
  // The block name replaces a missing title.
  const note = title === null ? 'editor:task.gone' : title ? 'editor:block.task' : null
  return (
    <NodeViewWrapper className="block-card">
      <ClipboardCheck size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <span className="block-fill">
        <span className="block truncate font-medium">{title || t('editor:block.task')}</span>
        {note && <span className="block text-muted text-sm">{t(note)}</span>}
      </span>
      {lesson && title !== null && (
        <button type="button" className="btn btn-sm" onClick={() => lesson.openTask(taskId)}>
          {t('editor:task.open')}
        </button>
      )}
    </NodeViewWrapper>
  )
}

/** Undefined while loading; null: the task was deleted. */
function useTaskTitle(taskId: string, editor: NodeViewProps['editor']): string | null | undefined {
  const { lesson } = useEditorContext()
  const [title, setTitle] = useState<string | null>()
  useEffect(() => {
    if (!taskId || !lesson) return
    let isUnmounted = false
    const loadTitle = () =>
      void lesson.findTask(taskId).then(
        (task) => !isUnmounted && setTitle(task ? task.title : null),
        () => undefined,
      )
    loadTitle()
    // Sent by the task panel; the title may also have changed elsewhere.
    document.addEventListener('task:saved', loadTitle)
    editor.on('focus', loadTitle)
    return () => {
      isUnmounted = true
      editor.off('focus', loadTitle)
      document.removeEventListener('task:saved', loadTitle)
    }
  }, [taskId, lesson, editor])
  return title
}
