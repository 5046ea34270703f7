import type { Editor } from '@tiptap/react'
import {
  Bold,
  Code,
  Heading2,
  Heading3,
  Italic,
  List,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  Quote,
  Redo2,
  Strikethrough,
  Undo2,
} from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import { BlockMenu } from './blocks/BlockMenu.tsx'
import type { DialogBlock } from './blocks/catalogue.ts'
import { TableMenu } from './blocks/TableMenu.tsx'
import { useEditorContext } from './editor-context.ts'
import { InsertMenu } from './InsertMenu.tsx'
import { LinkButton } from './LinkButton.tsx'

interface Props {
  editor: Editor
  onRequest: (block: DialogBlock) => void
}

interface Tool {
  name: string
  icon: LucideIcon
  active?: boolean
  onClick: () => void
}

/** One tab stop; arrow keys move along it (WAI-ARIA toolbar pattern). */
export function EditorToolbar({ editor, onRequest }: Props) {
  const { t, lesson } = useEditorContext()
  const [focusIndex, setFocusIndex] = useState(0)
  const tools = listTools(editor)
  const onArrowKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const offset = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (offset === 0) return
    event.preventDefault()
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const next = (focusIndex + offset + buttons.length) % buttons.length
    setFocusIndex(next)
    buttons[next]?.focus()
  }
  const tab = (index: number) => ({ tabIndex: index === focusIndex ? 0 : -1, onFocus: () => setFocusIndex(index) })
  const count = tools.length
  return (
    <div role="toolbar" aria-label={t('editor:toolbar.label')} className="lesson-toolbar" onKeyDown={onArrowKey}>
      {tools.map(({ name, icon: Icon, active, onClick }, index) => (
        <button
          key={name}
          type="button"
          className="btn btn-ghost btn-sm btn-square"
          aria-label={t(keyFrom(`editor:toolbar.${name}`))}
          title={t(keyFrom(`editor:toolbar.${name}`))}
          aria-pressed={active}
          onClick={onClick}
          {...tab(index)}
        >
          <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
        </button>
      ))}
      <LinkButton editor={editor} tab={tab(count)} />
      <InsertMenu editor={editor} onRequest={onRequest} tab={tab(count + 1)} />
      {lesson && <BlockMenu editor={editor} tab={tab(count + 2)} />}
      {editor.isActive('table') && <TableMenu editor={editor} tab={tab(count + (lesson ? 3 : 2))} />}
    </div>
  )
}

function listTools(editor: Editor): Tool[] {
  const chain = () => editor.chain().focus()
  const isActive = (name: string, attributes?: object) => editor.isActive(name, attributes)
  return [
    { name: 'undo', icon: Undo2, onClick: () => chain().undo().run() },
    { name: 'redo', icon: Redo2, onClick: () => chain().redo().run() },
    {
      name: 'heading2',
      icon: Heading2,
      active: isActive('heading', { level: 2 }),
      onClick: () => chain().toggleHeading({ level: 2 }).run(),
    },
    {
      name: 'heading3',
      icon: Heading3,
      active: isActive('heading', { level: 3 }),
      onClick: () => chain().toggleHeading({ level: 3 }).run(),
    },
    { name: 'bold', icon: Bold, active: isActive('bold'), onClick: () => chain().toggleBold().run() },
    { name: 'italic', icon: Italic, active: isActive('italic'), onClick: () => chain().toggleItalic().run() },
    { name: 'strike', icon: Strikethrough, active: isActive('strike'), onClick: () => chain().toggleStrike().run() },
    { name: 'code', icon: Code, active: isActive('code'), onClick: () => chain().toggleCode().run() },
    { name: 'bulletList', icon: List, active: isActive('bulletList'), onClick: () => chain().toggleBulletList().run() },
    {
      name: 'orderedList',
      icon: ListOrdered,
      active: isActive('orderedList'),
      onClick: () => chain().toggleOrderedList().run(),
    },
    { name: 'taskList', icon: ListChecks, active: isActive('taskList'), onClick: () => chain().toggleTaskList().run() },
    {
      name: 'blockquote',
      icon: Quote,
      active: isActive('blockquote'),
      onClick: () => chain().toggleBlockquote().run(),
    },
  ]
}
