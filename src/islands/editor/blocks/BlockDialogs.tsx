import type { Editor } from '@tiptap/react'
import { useEffect } from 'react'
import { FilePicker } from '#islands/picker/FilePicker.tsx'
import { showFailure } from '#islands/stores/notice.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import { ButtonDialog } from '../ButtonDialog.tsx'
import { EmbedDialog } from '../EmbedDialog.tsx'
import { useEditorContext } from '../editor-context.ts'
import { FormulaDialog } from '../FormulaDialog.tsx'
import { TestDialog } from '../TestDialog.tsx'
import { insertBlock } from './block-commands.ts'
import type { DialogBlock } from './catalogue.ts'
import { blockForFile } from './upload-blocks.ts'

interface Props {
  editor: Editor
  requested: DialogBlock | null
  onDone: () => void
}

/** Dialogs of blocks that need input before they are inserted. */
export function BlockDialogs({ editor, requested, onDone }: Props) {
  const { t, locale, lesson, media } = useEditorContext()
  useEffect(() => {
    if (requested !== 'task' || !lesson) return
    onDone()
    lesson.createTask().then(
      (taskId) => {
        insertBlock(editor, { type: 'task', attrs: { taskId } })
        lesson.openTask(taskId)
      },
      (error: unknown) => showFailure((error instanceof Error && error.message) || t('editor:task.failed')),
    )
  }, [requested, lesson, editor, onDone, t])

  const onOpenChange = (open: boolean) => {
    if (!open) onDone()
  }
  const kind = requested === 'gallery' ? 'image' : requested
  const isFileChoice = kind === 'image' || kind === 'video' || kind === 'audio' || kind === 'pdf' || kind === 'file'
  return (
    <>
      <FilePicker
        open={isFileChoice}
        onOpenChange={onOpenChange}
        kinds={isFileChoice ? [kind] : []}
        onPick={(file) => {
          const block =
            requested === 'file'
              ? { type: 'file', attrs: { fileId: file.id, name: file.name } }
              : blockForFile(file, lesson !== null || media)
          insertBlock(editor, requested === 'gallery' ? { type: 'gallery', content: [block] } : block)
        }}
        t={t}
        locale={locale}
        title={requested ? t(keyFrom(`editor:block.${requested}`)) : ''}
      />
      <TestDialog
        open={requested === 'test'}
        onOpenChange={onOpenChange}
        testId={null}
        onPick={(testId) => insertBlock(editor, { type: 'test', attrs: { testId } })}
      />
      <EmbedDialog open={requested === 'embed'} onOpenChange={onOpenChange} editor={editor} />
      <FormulaDialog open={requested === 'formula'} onOpenChange={onOpenChange} editor={editor} />
      <ButtonDialog open={requested === 'button'} onOpenChange={onOpenChange} editor={editor} />
    </>
  )
}
