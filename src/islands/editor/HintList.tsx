import type { Editor } from '@tiptap/react'
import { useDeferredValue, useMemo } from 'react'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import { blockAt } from './blocks/block-commands.ts'
import { useEditorContext } from './editor-context.ts'
import { findHints } from './hints.ts'

interface Props {
  editor: Editor
  doc: LessonDoc
}

const MAX_HINTS = 20

/** Collapsed list of hints about a document; a click selects the block. */
export function HintList({ editor, doc }: Props) {
  const { t } = useEditorContext()
  const deferredDoc = useDeferredValue(doc)
  const hints = useMemo(() => findHints(deferredDoc), [deferredDoc])
  if (hints.length === 0) return null
  const selectBlock = (index: number) => {
    const block = blockAt(index, editor.state.doc)
    if (block) editor.chain().focus().setNodeSelection(block.from).scrollIntoView().run()
  }
  return (
    <details className="block-hints">
      <summary>{t('editor:hint.count', { count: hints.length })}</summary>
      <ul>
        {hints.slice(0, MAX_HINTS).map(({ kind, index, nth }) => (
          <li key={`${kind}-${index}-${nth}`}>
            <button type="button" onClick={() => selectBlock(index)}>
              {t(keyFrom(`editor:hint.${kind}`))}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
