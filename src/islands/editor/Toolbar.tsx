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
import type { Asked } from './blocks/catalogue.ts'
import { TableMenu } from './blocks/TableMenu.tsx'
import { useDesk } from './desk.ts'
import { InsertMenu } from './InsertMenu.tsx'
import { LinkButton } from './LinkButton.tsx'

interface Props {
  editor: Editor
  onAsk: (asked: Asked) => void
}

interface Tool {
  name: string
  icon: LucideIcon
  active?: boolean
  run: () => void
}

/** One stop of the Tab key; the arrows walk along it, as the toolbar pattern of WAI-ARIA has it. */
export function Toolbar({ editor, onAsk }: Props) {
  const { say, lesson } = useDesk()
  const [stop, setStop] = useState(0)
  const tools = toolsOf(editor)
  const walk = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const next = (stop + step + buttons.length) % buttons.length
    setStop(next)
    buttons[next]?.focus()
  }
  const tab = (index: number) => ({ tabIndex: index === stop ? 0 : -1, onFocus: () => setStop(index) })
  const count = tools.length
  return (
    <div role="toolbar" aria-label={say('editor:toolbar.label')} className="lesson-toolbar" onKeyDown={walk}>
      {tools.map(({ name, icon: Icon, active, run }, index) => (
        <button
          key={name}
          type="button"
          className="btn btn-ghost btn-sm btn-square"
          aria-label={say(keyFrom(`editor:toolbar.${name}`))}
          title={say(keyFrom(`editor:toolbar.${name}`))}
          aria-pressed={active}
          onClick={run}
          {...tab(index)}
        >
          <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
        </button>
      ))}
      <LinkButton editor={editor} tab={tab(count)} />
      <InsertMenu editor={editor} onAsk={onAsk} tab={tab(count + 1)} />
      {lesson && <BlockMenu editor={editor} tab={tab(count + 2)} />}
      {editor.isActive('table') && <TableMenu editor={editor} tab={tab(count + (lesson ? 3 : 2))} />}
    </div>
  )
}

function toolsOf(editor: Editor): Tool[] {
  const act = () => editor.chain().focus()
  const on = (name: string, attributes?: object) => editor.isActive(name, attributes)
  return [
    { name: 'undo', icon: Undo2, run: () => act().undo().run() },
    { name: 'redo', icon: Redo2, run: () => act().redo().run() },
    {
      name: 'heading2',
      icon: Heading2,
      active: on('heading', { level: 2 }),
      run: () => act().toggleHeading({ level: 2 }).run(),
    },
    {
      name: 'heading3',
      icon: Heading3,
      active: on('heading', { level: 3 }),
      run: () => act().toggleHeading({ level: 3 }).run(),
    },
    { name: 'bold', icon: Bold, active: on('bold'), run: () => act().toggleBold().run() },
    { name: 'italic', icon: Italic, active: on('italic'), run: () => act().toggleItalic().run() },
    { name: 'strike', icon: Strikethrough, active: on('strike'), run: () => act().toggleStrike().run() },
    { name: 'code', icon: Code, active: on('code'), run: () => act().toggleCode().run() },
    { name: 'bulletList', icon: List, active: on('bulletList'), run: () => act().toggleBulletList().run() },
    { name: 'orderedList', icon: ListOrdered, active: on('orderedList'), run: () => act().toggleOrderedList().run() },
    { name: 'taskList', icon: ListChecks, active: on('taskList'), run: () => act().toggleTaskList().run() },
    { name: 'blockquote', icon: Quote, active: on('blockquote'), run: () => act().toggleBlockquote().run() },
  ]
}
