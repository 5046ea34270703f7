import { NodeViewContent, type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { CALLOUT_TONES } from '#lib/core/shared/lesson-doc.ts'
import { useEditorContext } from '../editor-context.ts'

export function CalloutView({ node, updateAttributes, editor }: NodeViewProps) {
  const { t } = useEditorContext()
  const tone = CALLOUT_TONES.find((option) => option === node.attrs.tone) ?? 'info'
  return (
    <NodeViewWrapper className="lesson-callout" data-tone={tone}>
      <select
        className="block-choice"
        contentEditable={false}
        aria-label={t('editor:callout.tone')}
        disabled={!editor.isEditable}
        value={tone}
        onChange={(event) => updateAttributes({ tone: event.target.value })}
      >
        {CALLOUT_TONES.map((option) => (
          <option key={option} value={option}>
            {t(`editor:tone.${option}`)}
          </option>
        ))}
      </select>
      <NodeViewContent className="block-flow" />
    </NodeViewWrapper>
  )
}
