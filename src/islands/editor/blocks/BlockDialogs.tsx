import type { Editor } from '@tiptap/react'
import { useEffect } from 'react'
import { PickFile } from '#islands/picker/PickFile.tsx'
import { fail } from '#islands/stores/notice.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import { AskButton } from '../AskButton.tsx'
import { AskEmbed } from '../AskEmbed.tsx'
import { useDesk } from '../desk.ts'
import { insertBlock } from './block-acts.ts'
import type { Asked } from './catalogue.ts'
import { blockOf } from './upload-blocks.ts'

interface Props {
  editor: Editor
  asked: Asked | null
  onDone: () => void
}

/** Asks what a block needs before it can stand in the text. */
export function BlockDialogs({ editor, asked, onDone }: Props) {
  const { say, locale, lesson } = useDesk()
  useEffect(() => {
    if (asked !== 'task' || !lesson) return
    onDone()
    lesson.createTask().then(
      (taskId) => {
        insertBlock(editor, { type: 'task', attrs: { taskId } })
        lesson.openTask(taskId)
      },
      (error: unknown) => fail((error instanceof Error && error.message) || say('editor:task.failed')),
    )
  }, [asked, lesson, editor, onDone, say])

  const change = (open: boolean) => {
    if (!open) onDone()
  }
  const kind = asked === 'gallery' ? 'image' : asked
  const picks = kind === 'image' || kind === 'video' || kind === 'audio' || kind === 'pdf' || kind === 'file'
  return (
    <>
      <PickFile
        open={picks}
        onOpenChange={change}
        kinds={picks ? [kind] : []}
        onPick={(file) => {
          const block =
            asked === 'file'
              ? { type: 'file', attrs: { fileId: file.id, name: file.name } }
              : blockOf(file, lesson !== null)
          insertBlock(editor, asked === 'gallery' ? { type: 'gallery', content: [block] } : block)
        }}
        say={say}
        locale={locale}
        title={asked ? say(keyFrom(`editor:block.${asked}`)) : ''}
      />
      <AskEmbed open={asked === 'embed'} onOpenChange={change} editor={editor} />
      <AskButton open={asked === 'button'} onOpenChange={change} editor={editor} />
    </>
  )
}
