import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { ClipboardCheck, ListTodo } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useEditorContext } from '../editor-context.ts'

/** Placeholder of a task or test, which is edited elsewhere. */
export function SlotView({ node, editor }: NodeViewProps) {
  const { t, lesson } = useEditorContext()
  const isTask = node.type.name === 'task'
  const taskId = String(node.attrs.taskId ?? '')
  const title = useTaskTitle(isTask ? taskId : '', editor)
  // The block name replaces a missing title.
  const note = !isTask ? 'editor:test.later' : title === null ? 'editor:task.gone' : title ? 'editor:block.task' : null
  const Icon = isTask ? ClipboardCheck : ListTodo
  return (
    <NodeViewWrapper className="block-card">
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <span className="block-fill">
        <span className="block truncate font-medium">
          {title || t(isTask ? 'editor:block.task' : 'editor:block.test')}
        </span>
        {note && <span className="block text-muted text-sm">{t(note)}</span>}
      </span>
      {isTask && lesson && title !== null && (
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
