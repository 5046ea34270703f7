import type { RefObject } from 'react'
import type { OutboxItem } from '#islands/stores/outbox/outbox-storage.ts'
import { Button } from '#islands/ui/Button.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { ChatOutbox, QueuedMessage } from './chat-outbox.ts'
import type { ComposerState } from './composer/use-composer.ts'
import { MessageBody } from './MessageBody.tsx'

interface Props {
  items: readonly OutboxItem<QueuedMessage>[]
  outbox: RefObject<ChatOutbox | null>
  /** The field that receives the text of a message that is discarded. */
  composer: Pick<ComposerState, 'restore'>
  t: Translate
}

/** Own messages that the server has not confirmed, with their state. */
export function OutgoingMessages({ items, outbox, composer, t }: Props) {
  return items.map(({ id, payload, state, cause }) => (
    <li key={id} className="chat-message" data-mine data-state={state}>
      <p className="chat-message-head">
        <strong>{t('chat:message.you')}</strong>
        <span>{t(`chat:outgoing.${state === 'failed' ? 'failed' : (cause ?? 'sending')}`)}</span>
      </p>
      {payload.body === '' ? (
        <p className="text-muted">{t(payload.isVoice ? 'chat:files.voice' : 'chat:files.file')}</p>
      ) : (
        <MessageBody body={payload.body} t={t} />
      )}
      {state === 'failed' && (
        <p className="mt-1 flex flex-wrap gap-2">
          <Button small onClick={() => outbox.current?.retry(id)}>
            {t('chat:outgoing.retry')}
          </Button>
          <Button small tone="quiet" onClick={() => composer.restore(outbox.current?.discard(id)?.payload.body ?? '')}>
            {t('chat:outgoing.discard')}
          </Button>
        </p>
      )}
    </li>
  ))
}
