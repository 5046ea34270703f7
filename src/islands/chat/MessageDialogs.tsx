import { ActionDialog } from '#islands/ui/dialog/ActionDialog.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { ConversationReader } from './chat-props.ts'
import { EarlierTextsDialog } from './EarlierTextsDialog.tsx'
import { ForwardDialog } from './ForwardDialog.tsx'
import { ReportDialog } from './moderation/ReportDialog.tsx'
import type { useMessageActions } from './use-message-actions.ts'

interface Props {
  conversationId: string
  reader: ConversationReader
  actions: ReturnType<typeof useMessageActions>
  t: Translate
}

/** The dialog about a message that is open, if any. */
export function MessageDialogs({ conversationId, reader, actions, t }: Props) {
  const { question, endQuestion } = actions
  const props = { conversationId, onClose: endQuestion, t }
  if (question?.kind === 'forward') return <ForwardDialog message={question.message} {...props} />
  if (question?.kind === 'report') return <ReportDialog message={question.message} {...props} />
  if (question?.kind === 'edits') return <EarlierTextsDialog message={question.message} reader={reader} {...props} />
  const name = question?.message.author ?? ''
  return (
    <>
      <ActionDialog
        title={t('chat:delete.title')}
        text={t('chat:delete.text')}
        open={question?.kind === 'delete'}
        cancelLabel={t('chat:delete.cancel')}
        actionLabel={t('chat:delete.confirm')}
        isDestructive
        onAction={() => question && actions.remove(question.message)}
        onClose={endQuestion}
      />
      <ActionDialog
        title={t('chat:ban.title', { name })}
        text={t('chat:ban.text')}
        open={question?.kind === 'ban'}
        cancelLabel={t('chat:delete.cancel')}
        actionLabel={t('chat:ban.confirm')}
        isDestructive
        onAction={() => question && actions.ban(question.message)}
        onClose={endQuestion}
      />
    </>
  )
}
