import { NodeViewContent, type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { ImagePlus } from 'lucide-react'
import { useState } from 'react'
import { FilePicker } from '#islands/picker/FilePicker.tsx'
import { srcOf } from '#lib/core/shared/lesson-doc.ts'
import { useEditorContext } from '../editor-context.ts'

const MAX_IMAGES = 40

export function GalleryView({ node, getPos, editor }: NodeViewProps) {
  const { t, locale } = useEditorContext()
  const [open, setOpen] = useState(false)
  const addImage = (fileId: string) => {
    const from = getPos()
    const image = { type: 'image', attrs: { src: srcOf(fileId), alt: '' } }
    if (from !== undefined) editor.commands.insertContentAt(from + node.nodeSize - 1, image)
  }
  return (
    <NodeViewWrapper className="block-gallery">
      <NodeViewContent className="lesson-gallery" />
      {node.childCount < MAX_IMAGES && (
        <button type="button" className="btn btn-sm" contentEditable={false} onClick={() => setOpen(true)}>
          <ImagePlus size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('editor:gallery.add')}
        </button>
      )}
      <FilePicker
        open={open}
        onOpenChange={setOpen}
        kinds={['image']}
        onPick={({ id }) => addImage(id)}
        t={t}
        locale={locale}
        title={t('editor:gallery.add')}
      />
    </NodeViewWrapper>
  )
}
