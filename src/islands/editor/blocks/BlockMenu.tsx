import type { Editor } from '@tiptap/react'
import { ArrowDown, ArrowUp, Copy, Ellipsis, Trash2 } from 'lucide-react'
import { Menu, type MenuEntry } from '#islands/ui/Menu.tsx'
import type { Say } from '#lib/core/shared/text/strings.ts'
import { useDesk } from '../desk.ts'
import { deleteBlock, duplicateBlock, moveBlock, type Place } from './block-acts.ts'

interface Props {
  editor: Editor
  tab: { tabIndex: number; onFocus: () => void }
}

/** What can be done with the block in which the cursor stands. */
export function BlockMenu({ editor, tab }: Props) {
  const { say } = useDesk()
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="btn btn-ghost btn-sm btn-square"
          aria-label={say('editor:act.label')}
          title={say('editor:act.label')}
          {...tab}
        >
          <Ellipsis size={18} strokeWidth={1.75} aria-hidden="true" />
        </button>
      }
      entries={entriesFor(editor, say)}
    />
  )
}

/** Acts on one block; without `place`, on that of the cursor. */
export function entriesFor(editor: Editor, say: Say, place?: Place): MenuEntry[] {
  const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const
  return [
    {
      key: 'up',
      label: say('editor:act.up'),
      icon: <ArrowUp {...icon} />,
      onSelect: () => moveBlock(editor, -1, place),
    },
    {
      key: 'down',
      label: say('editor:act.down'),
      icon: <ArrowDown {...icon} />,
      onSelect: () => moveBlock(editor, 1, place),
    },
    {
      key: 'duplicate',
      label: say('editor:act.duplicate'),
      icon: <Copy {...icon} />,
      onSelect: () => duplicateBlock(editor, place),
    },
    {
      key: 'delete',
      label: say('editor:act.delete'),
      icon: <Trash2 {...icon} />,
      danger: true,
      onSelect: () => deleteBlock(editor, place),
    },
  ]
}
