import type { Command } from '@tiptap/pm/state'
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  mergeCells,
  splitCell,
  toggleHeaderColumn,
  toggleHeaderRow,
} from '@tiptap/pm/tables'
import type { Editor } from '@tiptap/react'
import { Table } from 'lucide-react'
import { Menu } from '#islands/ui/Menu.tsx'
import { MAX_ROW_CELLS } from '#lib/core/shared/lesson-doc.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import { useEditorContext } from '../editor-context.ts'

interface Props {
  editor: Editor
  tab: { tabIndex: number; onFocus: () => void }
}

const TABLE_COMMANDS: Record<string, Command> = {
  rowBefore: addRowBefore,
  rowAfter: addRowAfter,
  columnBefore: addColumnBefore,
  columnAfter: addColumnAfter,
  headerRow: toggleHeaderRow,
  headerColumn: toggleHeaderColumn,
  merge: mergeCells,
  split: splitCell,
  deleteRow,
  deleteColumn,
  deleteTable,
}

/** Actions on the table at the cursor that are possible now. */
export function TableMenu({ editor, tab }: Props) {
  const { t } = useEditorContext()
  return (
    <Menu
      trigger={
        <button type="button" className="btn btn-ghost btn-sm" {...tab}>
          <Table size={18} strokeWidth={1.75} aria-hidden="true" />
          {t('editor:table.label')}
        </button>
      }
      entries={Object.entries(TABLE_COMMANDS)
        .filter(([key, command]) => command(editor.state) && !(isRowFull(editor) && key.startsWith('column')))
        .map(([key, command]) => ({
          key,
          label: t(keyFrom(`editor:table.${key}`)),
          danger: key.startsWith('delete'),
          onSelect: () => {
            command(editor.state, editor.view.dispatch)
            editor.view.focus()
          },
        }))}
    />
  )
}

/** Whether the cursor's row has the maximum number of cells. */
function isRowFull({ state }: Editor): boolean {
  const { $from } = state.selection
  for (let depth = $from.depth; depth > 0; depth--) {
    if ($from.node(depth).type.name === 'tableRow') return $from.node(depth).childCount >= MAX_ROW_CELLS
  }
  return false
}
