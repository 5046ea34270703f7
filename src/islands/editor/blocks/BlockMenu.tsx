import type { Editor } from '@tiptap/react'
import { ArrowDown, ArrowUp, Copy, Ellipsis, Trash2 } from 'lucide-react'
import { Menu, type MenuEntry } from '#islands/ui/Menu.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { useEditorContext } from '../editor-context.ts'
import { type BlockRange, deleteBlock, duplicateBlock, moveBlock } from './block-commands.ts'

interface Props {
  editor: Editor
  tab: { tabIndex: number; onFocus: () => void }
}

/** Actions on the block at the cursor. */
export function BlockMenu({ editor, tab }: Props) {
  const { t } = useEditorContext()
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="btn btn-ghost btn-sm btn-square"
          aria-label={t('editor:act.label')}
          title={t('editor:act.label')}
          {...tab}
        >
          <Ellipsis size={18} strokeWidth={1.75} aria-hidden="true" />
        </button>
      }
      entries={blockMenuEntries(editor, t)}
    />
  )
}

/** Actions on a block; without `block`, on the one at the cursor. */
export function blockMenuEntries(editor: Editor, t: Translate, block?: BlockRange): MenuEntry[] {
  const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const
  return [
    {
      key: 'up',
      label: t('editor:act.up'),
      icon: <ArrowUp {...icon} />,
      onSelect: () => moveBlock(editor, -1, block),
    },
    {
      key: 'down',
      label: t('editor:act.down'),
      icon: <ArrowDown {...icon} />,
      onSelect: () => moveBlock(editor, 1, block),
    },
    {
      key: 'duplicate',
      label: t('editor:act.duplicate'),
      icon: <Copy {...icon} />,
      onSelect: () => duplicateBlock(editor, block),
    },
    {
      key: 'delete',
      label: t('editor:act.delete'),
      icon: <Trash2 {...icon} />,
      danger: true,
      onSelect: () => deleteBlock(editor, block),
    },
  ]
}
