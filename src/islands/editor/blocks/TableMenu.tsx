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
import { MOST_CELLS } from '#lib/core/shared/lesson-doc.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import { useDesk } from '../desk.ts'

interface Props {
  editor: Editor
  tab: { tabIndex: number; onFocus: () => void }
}

const ACTS: Record<string, Command> = {
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

/** Rows, columns and cells of the table in which the cursor stands; only what can be done now. */
export function TableMenu({ editor, tab }: Props) {
  const { say } = useDesk()
  return (
    <Menu
      trigger={
        <button type="button" className="btn btn-ghost btn-sm" {...tab}>
          <Table size={18} strokeWidth={1.75} aria-hidden="true" />
          {say('editor:table.label')}
        </button>
      }
      entries={Object.entries(ACTS)
        .filter(([key, act]) => act(editor.state) && !(isWide(editor) && key.startsWith('column')))
        .map(([key, act]) => ({
          key,
          label: say(keyFrom(`editor:table.${key}`)),
          danger: key.startsWith('delete'),
          onSelect: () => {
            act(editor.state, editor.view.dispatch)
            editor.view.focus()
          },
        }))}
    />
  )
}

/** Whether the row of the cursor has as many cells as a row may have. */
function isWide({ state }: Editor): boolean {
  const { $from } = state.selection
  for (let depth = $from.depth; depth > 0; depth--) {
    if ($from.node(depth).type.name === 'tableRow') return $from.node(depth).childCount >= MOST_CELLS
  }
  return false
}
