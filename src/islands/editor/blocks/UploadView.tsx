import { useStore } from '@nanostores/react'
import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { LoaderCircle } from 'lucide-react'
import { UploadStatus } from '#islands/picker/UploadChoice.tsx'
import { $uploads } from '#islands/stores/upload/upload-list.ts'
import { useEditorContext } from '../editor-context.ts'
import { restartUpload } from './upload-blocks.ts'

/** Placeholder of an upload; replaced by the file's block when the upload is complete. */
export function UploadView({ node, getPos, editor, deleteNode }: NodeViewProps) {
  const { t } = useEditorContext()
  const { key, fileId, name } = node.attrs
  const uploads = useStore($uploads)
  const upload = uploads.find((item) => item.id === key) ?? uploads.find((item) => fileId && item.fileId === fileId)
  const isStopped = !upload || upload.step === 'lost'
  const retryWith = (file: File | undefined) => {
    const position = getPos()
    if (file && position !== undefined) restartUpload(editor, position, file)
  }
  return (
    <NodeViewWrapper className="block-card" aria-live="polite">
      <LoaderCircle size={20} strokeWidth={1.75} aria-hidden="true" className={isStopped ? '' : 'block-turning'} />
      <div className="block-fill">
        {isStopped ? (
          <p className="text-sm">{t('editor:upload.stopped', { name: String(name) })}</p>
        ) : (
          <UploadStatus uploadId={upload.id} t={t} />
        )}
      </div>
      {isStopped && (
        <>
          <label className="btn btn-sm">
            {t('editor:upload.again')}
            <input type="file" className="sr-only" onChange={(event) => retryWith(event.target.files?.[0])} />
          </label>
          <button type="button" className="btn btn-ghost btn-sm" onClick={() => deleteNode()}>
            {t('editor:upload.remove')}
          </button>
        </>
      )}
    </NodeViewWrapper>
  )
}
