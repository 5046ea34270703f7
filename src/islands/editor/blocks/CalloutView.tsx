import { NodeViewContent, type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { CALLOUT_TONES } from '#lib/core/shared/lesson-doc.ts'
import { useDesk } from '../desk.ts'

export function CalloutView({ node, updateAttributes, editor }: NodeViewProps) {
  const { say } = useDesk()
  const tone = CALLOUT_TONES.find((one) => one === node.attrs.tone) ?? 'info'
  return (
    <NodeViewWrapper className="lesson-callout" data-tone={tone}>
      <select
        className="block-choice"
        contentEditable={false}
        aria-label={say('editor:callout.tone')}
        disabled={!editor.isEditable}
        value={tone}
        onChange={(event) => updateAttributes({ tone: event.target.value })}
      >
        {CALLOUT_TONES.map((one) => (
          <option key={one} value={one}>
            {say(`editor:tone.${one}`)}
          </option>
        ))}
      </select>
      <NodeViewContent className="block-flow" />
    </NodeViewWrapper>
  )
}
