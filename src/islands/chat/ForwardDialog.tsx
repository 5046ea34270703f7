import { useEffect, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showSuccess } from '#islands/stores/notice.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { foldForSearch } from '#lib/core/shared/text/search-text.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { type Conversation, type ConversationMessage, QUIET_CALL } from './chat-props.ts'
import { createMessageId } from './message-id.ts'

interface Props {
  conversationId: string
  message: ConversationMessage
  onClose(): void
  t: Translate
}

const MAX_LISTED = 100

/** Sends a message to another conversation of the reader. */
export function ForwardDialog({ conversationId, message, onClose, t }: Props) {
  const [conversations, setConversations] = useState<readonly Conversation[] | null>(null)
  const [search, setSearch] = useState('')
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  // The same id for a repeated click: the message is sent once.
  const [messageId] = useState(() => createMessageId())
  useEffect(() => {
    api.chat.listConversations({ limit: MAX_LISTED }, QUIET_CALL).then(
      ({ items }) => setConversations(items.filter(({ id, canPost }) => canPost && id !== conversationId)),
      () => setError(t('chat:forward.failed')),
    )
  }, [conversationId, t])
  const titleOfConversation = ({ title }: Conversation) => title ?? t('chat:list.support')
  const words = foldForSearch(search.trim())
  const found = (conversations ?? []).filter((each) =>
    foldForSearch(`${titleOfConversation(each)} ${each.context ?? ''}`).includes(words),
  )
  const send = async () => {
    if (!chosenId) return setError(t('chat:forward.choose'))
    setBusy(true)
    try {
      await api.chat.forwardMessage(
        { conversationId, seq: message.seq, toConversationId: chosenId, messageId },
        QUIET_CALL,
      )
      showSuccess(t('chat:forward.sent'))
      onClose()
    } catch (failure) {
      setError(CallError.from(failure).message || t('chat:forward.failed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('chat:forward.title')}
      text={t('chat:forward.text')}
      open
      onOpenChange={(open) => !open && onClose()}
      closeLabel={t('chat:delete.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="primary" busy={isBusy} onClick={() => void send()}>
            {t('chat:forward.send')}
          </Button>
        </>
      )}
    >
      <div className="grid gap-3">
        <input
          type="search"
          className="input w-full"
          aria-label={t('chat:forward.search')}
          placeholder={t('chat:forward.search')}
          maxLength={100}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <fieldset className="chat-choices">
          <legend className="sr-only">{t('chat:list.label')}</legend>
          {found.map((each) => (
            <label key={each.id} className="flex min-w-0 items-center gap-2">
              <input
                type="radio"
                name="forward-to"
                className="radio radio-sm"
                checked={each.id === chosenId}
                onChange={() => {
                  setChosenId(each.id)
                  setError(null)
                }}
              />
              <span className="min-w-0 truncate">{titleOfConversation(each)}</span>
              {each.context && <span className="min-w-0 truncate text-muted text-sm">{each.context}</span>}
            </label>
          ))}
          {conversations && found.length === 0 && <p className="text-muted">{t('chat:forward.nothing')}</p>}
        </fieldset>
        {error && (
          <p className="field-error" role="alert">
            {error}
          </p>
        )}
      </div>
    </Dialog>
  )
}
