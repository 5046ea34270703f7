import { useStore } from '@nanostores/react'
import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { LoaderCircle } from 'lucide-react'
import { OnItsWay } from '#islands/picker/UploadChoice.tsx'
import { $uploads } from '#islands/stores/upload/upload-list.ts'
import { useDesk } from '../desk.ts'
import { againFor } from './upload-blocks.ts'

/** Keeps the place of a file that is on its way; when it has arrived, its block stands here. */
export function UploadView({ node, getPos, editor, deleteNode }: NodeViewProps) {
  const { say } = useDesk()
  const { key, fileId, name } = node.attrs
  const uploads = useStore($uploads)
  const upload = uploads.find((one) => one.id === key) ?? uploads.find((one) => fileId && one.fileId === fileId)
  const stopped = !upload || upload.step === 'lost'
  const again = (file: File | undefined) => {
    const place = getPos()
    if (file && place !== undefined) againFor(editor, place, file)
  }
  return (
    <NodeViewWrapper className="block-card" aria-live="polite">
      <LoaderCircle size={20} strokeWidth={1.75} aria-hidden="true" className={stopped ? '' : 'block-turning'} />
      <div className="block-fill">
        {stopped ? (
          <p className="text-sm">{say('editor:upload.stopped', { name: String(name) })}</p>
        ) : (
          <OnItsWay uploadId={upload.id} say={say} />
        )}
      </div>
      {stopped && (
        <>
          <label className="btn btn-sm">
            {say('editor:upload.again')}
            <input type="file" className="sr-only" onChange={(event) => again(event.target.files?.[0])} />
          </label>
          <button type="button" className="btn btn-ghost btn-sm" onClick={() => deleteNode()}>
            {say('editor:upload.remove')}
          </button>
        </>
      )}
    </NodeViewWrapper>
  )
}
