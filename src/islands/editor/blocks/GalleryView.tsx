import { NodeViewContent, type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { ImagePlus } from 'lucide-react'
import { useState } from 'react'
import { PickFile } from '#islands/picker/PickFile.tsx'
import { srcOf } from '#lib/core/shared/lesson-doc.ts'
import { useDesk } from '../desk.ts'

const MOST = 40

export function GalleryView({ node, getPos, editor }: NodeViewProps) {
  const { say, locale } = useDesk()
  const [open, setOpen] = useState(false)
  const add = (fileId: string) => {
    const from = getPos()
    const image = { type: 'image', attrs: { src: srcOf(fileId), alt: '' } }
    if (from !== undefined) editor.commands.insertContentAt(from + node.nodeSize - 1, image)
  }
  return (
    <NodeViewWrapper className="block-gallery">
      <NodeViewContent className="lesson-gallery" />
      {node.childCount < MOST && (
        <button type="button" className="btn btn-sm" contentEditable={false} onClick={() => setOpen(true)}>
          <ImagePlus size={16} strokeWidth={1.75} aria-hidden="true" />
          {say('editor:gallery.add')}
        </button>
      )}
      <PickFile
        open={open}
        onOpenChange={setOpen}
        kinds={['image']}
        onPick={({ id }) => add(id)}
        say={say}
        locale={locale}
        title={say('editor:gallery.add')}
      />
    </NodeViewWrapper>
  )
}
