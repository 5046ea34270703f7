import { Menu as Base } from '@base-ui/react/menu'
import { useEffect, useState } from 'react'
import { MESSAGE_REACTIONS, type MessageReaction } from '#lib/chat/schema.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { ConversationMessage } from './chat-props.ts'

export interface ChatMessageAction {
  key: 'reply' | 'thread' | 'report' | 'ban' | 'forward' | 'pin' | 'unpin' | 'copyLink' | 'edit' | 'delete'
  run(): void
}

/** The button whose menu is open, and its message. */
export interface OpenMenu {
  anchor: HTMLElement
  message: ConversationMessage
}

interface Props extends OpenMenu {
  actions: readonly ChatMessageAction[]
  onReact(reaction: MessageReaction): void
  onClose(): void
  t: Translate
}

/** The menu of a message: reactions and actions. One for all messages. */
export function MessageMenu({ anchor, message, actions, onReact, onClose, t }: Props) {
  const [landmark, setLandmark] = useState<HTMLElement | null>(null)
  useEffect(() => setLandmark(document.querySelector('main')), [])
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal container={landmark}>
        <Base.Positioner anchor={anchor} sideOffset={4} align="end" className="z-70">
          <Base.Popup
            className="floating min-w-60 p-1.5"
            aria-label={t('chat:action.more', { name: message.author })}
            finalFocus={{ current: anchor }}
          >
            <Base.Group className="chat-reaction-choice">
              {MESSAGE_REACTIONS.map((reaction) => {
                const isOwn = message.ownReactions.includes(reaction)
                return (
                  <Base.Item
                    key={reaction}
                    className="option"
                    data-own={isOwn || undefined}
                    aria-label={t(isOwn ? 'chat:reaction.remove' : 'chat:reaction.add', { emoji: reaction })}
                    onClick={() => onReact(reaction)}
                  >
                    {reaction}
                  </Base.Item>
                )
              })}
            </Base.Group>
            {actions.map(({ key, run }) => (
              <Base.Item key={key} onClick={run} className={key === 'delete' ? 'option text-error' : 'option'}>
                {t(`chat:action.${key}`)}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
