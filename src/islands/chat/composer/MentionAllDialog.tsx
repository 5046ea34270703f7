import { useEffect, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { ActionDialog } from '#islands/ui/dialog/ActionDialog.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { QUIET_CALL } from '../chat-props.ts'

interface Props {
  conversationId: string
  onClose(): void
  onConfirm(): void
  t: Translate
}

/** Asks before everyone in the conversation is mentioned, with their number. */
export function MentionAllDialog({ conversationId, onClose, onConfirm, t }: Props) {
  const [total, setTotal] = useState<number | null>(null)
  useEffect(() => {
    api.chat.listReaders({ conversationId }, QUIET_CALL).then(
      (readers) => setTotal(readers.total),
      () => undefined,
    )
  }, [conversationId])
  return (
    <ActionDialog
      title={t('chat:mention.allTitle')}
      text={total === null ? t('chat:mention.allText') : t('chat:mention.allCount', { count: total })}
      cancelLabel={t('chat:delete.cancel')}
      actionLabel={t('chat:composer.send')}
      onAction={onConfirm}
      onClose={onClose}
    />
  )
}
