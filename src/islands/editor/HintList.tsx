import type { Editor } from '@tiptap/react'
import { useDeferredValue, useMemo } from 'react'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import { placeAt } from './blocks/block-acts.ts'
import { useDesk } from './desk.ts'
import { hintsOf } from './hints.ts'

interface Props {
  editor: Editor
  doc: LessonDoc
}

const MOST = 20

/** Advice about a text, closed until somebody asks; a press leads to the block. */
export function HintList({ editor, doc }: Props) {
  const { say } = useDesk()
  const settled = useDeferredValue(doc)
  const hints = useMemo(() => hintsOf(settled), [settled])
  if (hints.length === 0) return null
  const lead = (index: number) => {
    const place = placeAt(index, editor.state.doc)
    if (place) editor.chain().focus().setNodeSelection(place.from).scrollIntoView().run()
  }
  return (
    <details className="block-hints">
      <summary>{say('editor:hint.count', { count: hints.length })}</summary>
      <ul>
        {hints.slice(0, MOST).map(({ kind, index, nth }) => (
          <li key={`${kind}-${index}-${nth}`}>
            <button type="button" onClick={() => lead(index)}>
              {say(keyFrom(`editor:hint.${kind}`))}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
