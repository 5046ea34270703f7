import type { Editor } from '@tiptap/react'
import { Plus } from 'lucide-react'
import { Menu } from '#islands/ui/Menu.tsx'
import { availableBlocks, type BlockChoice, blockLabel, type DialogBlock, isDialogBlock } from './blocks/catalogue.ts'
import { useEditorContext } from './editor-context.ts'

interface Props {
  editor: Editor
  onRequest: (block: DialogBlock) => void
  tab: { tabIndex: number; onFocus: () => void }
}

/** Menu of all blocks. */
export function InsertMenu({ editor, onRequest, tab }: Props) {
  const context = useEditorContext()
  const { t } = context
  return (
    <Menu
      trigger={
        <button type="button" className="btn btn-ghost btn-sm" title={t('editor:toolbar.insertHint')} {...tab}>
          <Plus size={18} strokeWidth={1.75} aria-hidden="true" />
          {t('editor:toolbar.insert')}
        </button>
      }
      entries={availableBlocks(context).map((choice) => {
        const Icon = choice.icon
        return {
          key: choice.name,
          label: blockLabel(choice, t),
          icon: <Icon size={18} strokeWidth={1.75} aria-hidden="true" />,
          onSelect: () => insertChoice(choice, editor, onRequest),
        }
      })}
    />
  )
}

/** Inserts a block, or opens the dialog that it needs. */
export function insertChoice(choice: BlockChoice, editor: Editor, onRequest: (block: DialogBlock) => void): void {
  if (choice.insert) choice.insert(editor)
  else if (isDialogBlock(choice.name)) onRequest(choice.name)
}
