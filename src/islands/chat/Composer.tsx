import { SendHorizontal, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { IconButton } from '#islands/ui/IconButton.tsx'
import { messagePlainText } from '#lib/chat/message/markdown-rules.ts'
import { MESSAGE_LIMIT } from '#lib/chat/schema.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { ConversationMessage } from './chat-props.ts'

/** The message to which the text refers. */
export interface ComposerTarget {
  mode: 'reply' | 'edit'
  message: ConversationMessage
}

interface Props {
  conversationId: string
  /** The id of the message when the form is posted without scripts. */
  messageId: string
  text: string
  target: ComposerTarget | null
  error: string | null
  onType(text: string): void
  onSubmit(): void
  onCancel(): void
  t: Translate
}

/** The field of the next message. Enter sends it, Shift and Enter begin a new line; on touch screens Enter is a new line. */
export function Composer({ conversationId, messageId, text, target, error, onType, onSubmit, onCancel, t }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (target) field.current?.focus()
  }, [target])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && target) onCancel()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    if (matchMedia('(pointer: coarse)').matches) return
    submit(event)
  }
  return (
    <form method="post" className="chat-composer" onSubmit={submit}>
      <input type="hidden" name="intent" value="send" />
      <input type="hidden" name="conversationId" value={conversationId} />
      <input type="hidden" name="messageId" value={messageId} />
      {target && (
        <p className="chat-target">
          <span className="min-w-0 flex-1 truncate">
            {t(`chat:composer.${target.mode}`, { name: target.message.author })}{' '}
            <span className="text-muted">{messagePlainText(target.message.body)}</span>
          </span>
          <IconButton icon={X} label={t('chat:composer.cancel')} onClick={onCancel} />
        </p>
      )}
      <div className="flex items-end gap-2">
        <textarea
          ref={field}
          name="body"
          rows={1}
          className="textarea chat-field min-h-10"
          aria-label={t('chat:composer.label')}
          aria-describedby={error ? 'chat-error' : 'chat-hint'}
          aria-invalid={error ? true : undefined}
          placeholder={t('chat:composer.label')}
          maxLength={MESSAGE_LIMIT}
          value={text}
          onChange={({ target: { value } }) => onType(value)}
          onKeyDown={handleKey}
        />
        <Button
          type="submit"
          tone="primary"
          icon={<SendHorizontal size={18} strokeWidth={1.75} aria-hidden="true" />}
          aria-label={t(target?.mode === 'edit' ? 'chat:composer.save' : 'chat:composer.send')}
        >
          <span className="max-sm:hidden" aria-hidden="true">
            {t(target?.mode === 'edit' ? 'chat:composer.save' : 'chat:composer.send')}
          </span>
        </Button>
      </div>
      {error ? (
        <p id="chat-error" className="field-error" role="alert">
          {error}
        </p>
      ) : (
        <p id="chat-hint" className="field-hint max-sm:sr-only">
          {t('chat:composer.hint')}
        </p>
      )}
    </form>
  )
}
