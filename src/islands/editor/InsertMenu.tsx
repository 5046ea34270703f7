import type { Editor } from '@tiptap/react'
import { Plus } from 'lucide-react'
import { Menu } from '#islands/ui/Menu.tsx'
import { type Asked, type BlockChoice, choicesFor, isAsked, nameOf } from './blocks/catalogue.ts'
import { useDesk } from './desk.ts'

interface Props {
  editor: Editor
  onAsk: (asked: Asked) => void
  tab: { tabIndex: number; onFocus: () => void }
}

/** All blocks by name, for whoever does not know of `/`. */
export function InsertMenu({ editor, onAsk, tab }: Props) {
  const desk = useDesk()
  const { say } = desk
  return (
    <Menu
      trigger={
        <button type="button" className="btn btn-ghost btn-sm" title={say('editor:toolbar.insertHint')} {...tab}>
          <Plus size={18} strokeWidth={1.75} aria-hidden="true" />
          {say('editor:toolbar.insert')}
        </button>
      }
      entries={choicesFor(desk).map((choice) => {
        const Icon = choice.icon
        return {
          key: choice.name,
          label: nameOf(choice, say),
          icon: <Icon size={18} strokeWidth={1.75} aria-hidden="true" />,
          onSelect: () => choose(choice, editor, onAsk),
        }
      })}
    />
  )
}

/** Puts a block in, or asks what it needs. */
export function choose(choice: BlockChoice, editor: Editor, onAsk: (asked: Asked) => void): void {
  if (choice.insert) choice.insert(editor)
  else if (isAsked(choice.name)) onAsk(choice.name)
}
