import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { ClipboardCheck, ListTodo } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useDesk } from '../desk.ts'

/** Where a task or a test stands in the lesson; it is written elsewhere. */
export function SlotView({ node, editor }: NodeViewProps) {
  const { say, lesson } = useDesk()
  const task = node.type.name === 'task'
  const taskId = String(node.attrs.taskId ?? '')
  const title = useTaskTitle(task ? taskId : '', editor)
  // The name of the block stands in the place of a title that is not written yet.
  const note = !task ? 'editor:test.later' : title === null ? 'editor:task.gone' : title ? 'editor:block.task' : null
  const Icon = task ? ClipboardCheck : ListTodo
  return (
    <NodeViewWrapper className="block-card">
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <span className="block-fill">
        <span className="block truncate font-medium">
          {title || say(task ? 'editor:block.task' : 'editor:block.test')}
        </span>
        {note && <span className="block text-muted text-sm">{say(note)}</span>}
      </span>
      {task && lesson && title !== null && (
        <button type="button" className="btn btn-sm" onClick={() => lesson.openTask(taskId)}>
          {say('editor:task.open')}
        </button>
      )}
    </NodeViewWrapper>
  )
}

/** Undefined while it is not known; null: the task is no more. */
function useTaskTitle(taskId: string, editor: NodeViewProps['editor']): string | null | undefined {
  const { lesson } = useDesk()
  const [title, setTitle] = useState<string | null>()
  useEffect(() => {
    if (!taskId || !lesson) return
    let gone = false
    const look = () =>
      void lesson.findTask(taskId).then(
        (task) => !gone && setTitle(task ? task.title : null),
        () => undefined,
      )
    look()
    // Said by the panel in which tasks are written; and whoever comes back from there may have written one.
    document.addEventListener('task:saved', look)
    editor.on('focus', look)
    return () => {
      gone = true
      editor.off('focus', look)
      document.removeEventListener('task:saved', look)
    }
  }, [taskId, lesson, editor])
  return title
}
