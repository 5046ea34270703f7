import { useCallback, useEffect, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { ActionDialog } from '#islands/ui/dialog/ActionDialog.tsx'
import { foldForSearch } from '#lib/core/shared/text/search-text.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { type Conversation, type ConversationMessage, QUIET_CALL } from './chat-props.ts'
import { addConversations } from './list/loaded-conversations.ts'
import { createMessageId } from './message-id.ts'
import { useDialogRequest } from './use-dialog-request.ts'

interface Props {
  conversationId: string
  message: ConversationMessage
  onClose(): void
  t: Translate
}

/** Conversations of a page, and those that the dialog shows at once. */
const MAX_LISTED = 100

/** Sends a message to another conversation of the reader. */
export function ForwardDialog({ conversationId, message, onClose, t }: Props) {
  const [conversations, setConversations] = useState<readonly Conversation[] | null>(null)
  // The cursor of the next page; null after the last one.
  const [next, setNext] = useState<string | null>(null)
  const [search, setSearch] = useState('')
  const [chosenId, setChosenId] = useState<string | null>(null)
  const { error, setError, isBusy, sendRequest } = useDialogRequest({
    successText: t('chat:forward.sent'),
    failureText: t('chat:forward.failed'),
    onClose,
  })
  // The same id for a repeated click: the message is sent once.
  const [messageId] = useState(() => createMessageId())
  const loadPage = useCallback(
    (cursor: string | null) =>
      api.chat.listConversations({ limit: MAX_LISTED, ...(cursor !== null && { cursor }) }, QUIET_CALL).then(
        (page) => {
          const items = page.items.filter(({ id, canPost }) => canPost && id !== conversationId)
          setConversations((all) => addConversations(all ?? [], items))
          setNext(page.next)
        },
        () => setError(t('chat:forward.failed')),
      ),
    [conversationId, setError, t],
  )
  useEffect(() => void loadPage(null), [loadPage])
  const titleOfConversation = ({ title }: Conversation) => title ?? t('chat:list.support')
  const words = foldForSearch(search.trim())
  const found = (conversations ?? []).filter((each) =>
    foldForSearch(`${titleOfConversation(each)} ${each.context ?? ''}`).includes(words),
  )
  // A search continues in the pages that have not been loaded until it finds something.
  const searchedNext = words !== '' && found.length === 0 ? next : null
  useEffect(() => {
    if (searchedNext !== null) void loadPage(searchedNext)
  }, [searchedNext, loadPage])
  const send = () => {
    if (!chosenId) return setError(t('chat:forward.choose'))
    const input = { conversationId, seq: message.seq, toConversationId: chosenId, messageId }
    void sendRequest(() => api.chat.forwardMessage(input, QUIET_CALL))
  }
  return (
    <ActionDialog
      title={t('chat:forward.title')}
      text={t('chat:forward.text')}
      cancelLabel={t('chat:delete.cancel')}
      actionLabel={t('chat:forward.send')}
      isBusy={isBusy}
      error={error}
      onAction={send}
      onClose={onClose}
    >
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
        {found.slice(0, MAX_LISTED).map((each) => (
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
        {conversations && found.length === 0 && next === null && (
          <p className="text-muted">{t('chat:forward.nothing')}</p>
        )}
      </fieldset>
    </ActionDialog>
  )
}
