import type { OutboxItem } from '#islands/stores/outbox/outbox-storage.ts'
import { Button } from '#islands/ui/Button.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { QueuedMessage } from './chat-outbox.ts'
import { MessageBody } from './MessageBody.tsx'

interface Props {
  items: readonly OutboxItem<QueuedMessage>[]
  onRetry(id: string): void
  onDiscard(id: string): void
  t: Translate
}

/** Own messages that the server has not confirmed, with their state. */
export function OutgoingMessages({ items, onRetry, onDiscard, t }: Props) {
  return items.map(({ id, payload, state, cause }) => (
    <li key={id} className="chat-message" data-mine data-state={state}>
      <p className="chat-message-head">
        <strong>{t('chat:message.you')}</strong>
        <span>{t(`chat:outgoing.${state === 'failed' ? 'failed' : (cause ?? 'sending')}`)}</span>
      </p>
      {payload.body === '' ? (
        <p className="text-muted">{t(payload.isVoice ? 'chat:files.voice' : 'chat:files.file')}</p>
      ) : (
        <MessageBody body={payload.body} />
      )}
      {state === 'failed' && (
        <p className="mt-1 flex flex-wrap gap-2">
          <Button small onClick={() => onRetry(id)}>
            {t('chat:outgoing.retry')}
          </Button>
          <Button small tone="quiet" onClick={() => onDiscard(id)}>
            {t('chat:outgoing.discard')}
          </Button>
        </p>
      )}
    </li>
  ))
}
