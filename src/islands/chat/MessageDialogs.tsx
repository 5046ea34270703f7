import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { ForwardDialog } from './ForwardDialog.tsx'
import { ReportDialog } from './moderation/ReportDialog.tsx'
import type { useMessageActions } from './use-message-actions.ts'

interface Props {
  conversationId: string
  actions: ReturnType<typeof useMessageActions>
  t: Translate
}

/** The dialog about a message that is open, if any. */
export function MessageDialogs({ conversationId, actions, t }: Props) {
  const { question, endQuestion } = actions
  const props = { conversationId, onClose: endQuestion, t }
  if (question?.kind === 'forward') return <ForwardDialog message={question.message} {...props} />
  if (question?.kind === 'report') return <ReportDialog message={question.message} {...props} />
  const name = question?.message.author ?? ''
  return (
    <>
      <Dialog
        title={t('chat:delete.title')}
        text={t('chat:delete.text')}
        open={question?.kind === 'delete'}
        onOpenChange={(open) => !open && endQuestion()}
        closeLabel={t('chat:delete.cancel')}
        actions={(close) => (
          <>
            {close}
            <Button tone="danger" onClick={() => question && actions.remove(question.message)}>
              {t('chat:delete.confirm')}
            </Button>
          </>
        )}
      />
      <Dialog
        title={t('chat:ban.title', { name })}
        text={t('chat:ban.text')}
        open={question?.kind === 'ban'}
        onOpenChange={(open) => !open && endQuestion()}
        closeLabel={t('chat:delete.cancel')}
        actions={(close) => (
          <>
            {close}
            <Button tone="danger" onClick={() => question && actions.ban(question.message)}>
              {t('chat:ban.confirm')}
            </Button>
          </>
        )}
      />
    </>
  )
}
