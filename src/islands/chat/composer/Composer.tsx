import { Clock, Mic, Paperclip, SendHorizontal, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { canRecordInBrowser } from '#islands/broadcast/recorder.ts'
import { Button } from '#islands/ui/Button.tsx'
import { IconButton } from '#islands/ui/IconButton.tsx'
import { useHydrated } from '#islands/ui/use-hydrated.ts'
import { messagePlainText } from '#lib/chat/message/markdown-rules.ts'
import { MAX_MESSAGE_FILES, MESSAGE_LIMIT } from '#lib/chat/schema.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { VoiceRecorder } from '../voice/VoiceRecorder.tsx'
import { AddedFiles } from './AddedFiles.tsx'
import { MentionAllDialog } from './MentionAllDialog.tsx'
import type { ComposerState } from './use-composer.ts'
import { useMentions } from './use-mentions.ts'

interface Props {
  conversationId: string
  /** The id of the message when the form is posted without scripts. */
  messageId: string
  canMentionAll: boolean
  /** The name of the field. */
  label: string
  state: ComposerState
  locale: Locale
  /** Sends the message later; absent where that is not offered. */
  onSchedule?: (() => void) | undefined
  t: Translate
}

/** The field of the next message. Enter sends it, Shift and Enter begin a new line; on touch screens Enter is a new line. */
export function Composer({ conversationId, messageId, canMentionAll, label, state, locale, onSchedule, t }: Props) {
  const { text, target, error, files, type: onType, addMention: onMention, cancel: onCancel } = state
  const key = useId()
  const [isRecording, setRecording] = useState(false)
  const canRecord = useHydrated() && canRecordInBrowser() && target?.mode !== 'edit'
  const field = useRef<HTMLTextAreaElement>(null)
  const mentions = useMentions({ conversationId, canMentionAll, field, text, onType, onMention, t })
  useEffect(() => {
    if (target) field.current?.focus()
  }, [target])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void state.submit()
  }
  const handleKey = (event: KeyboardEvent) => {
    if (mentions.handleKey(event)) return
    if (event.key === 'Escape' && target) onCancel()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    if (matchMedia('(pointer: coarse)').matches) return
    submit(event)
  }
  return (
    <>
      <form
        method="post"
        className="chat-composer"
        onSubmit={submit}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          files.add([...event.dataTransfer.files])
        }}
      >
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
        <AddedFiles items={files.items} refused={files.refused} onRemove={files.remove} locale={locale} t={t} />
        <p className="sr-only" role="status">
          {mentions.choices.length > 0 && t('chat:mention.found', { count: mentions.choices.length })}
        </p>
        {mentions.choices.length > 0 && (
          <div
            id={`${key}-mentions`}
            className="floating chat-mentions"
            role="listbox"
            aria-label={t('chat:mention.label')}
          >
            {mentions.choices.map((choice, index) => (
              <div
                key={choice.memberId ?? 'all'}
                id={`${key}-mention-${index}`}
                role="option"
                aria-selected={index === mentions.active}
                tabIndex={-1}
                className="option"
                // The focus stays in the field.
                onPointerDown={(event) => {
                  event.preventDefault()
                  mentions.choose(choice)
                }}
              >
                {choice.memberId ? choice.name : t('chat:mention.everyone', { name: choice.name })}
              </div>
            ))}
          </div>
        )}
        {isRecording && (
          <VoiceRecorder
            onRecorded={state.sendVoice}
            onLater={
              onSchedule && files.items.length < MAX_MESSAGE_FILES
                ? (voice) => {
                    setRecording(false)
                    state.addVoice(voice)
                    onSchedule()
                  }
                : undefined
            }
            onEnd={(reason) => {
              setRecording(false)
              if (reason) state.fail(reason)
              requestAnimationFrame(() => field.current?.focus())
            }}
            t={t}
          />
        )}
        <div className="flex items-end gap-2" hidden={isRecording}>
          {target?.mode !== 'edit' && <FileButton onAdd={files.add} t={t} />}
          <textarea
            ref={field}
            name="body"
            rows={1}
            className="textarea chat-field min-h-10"
            aria-label={label}
            aria-describedby={error ? `${key}-error` : `${key}-hint`}
            aria-invalid={error ? true : undefined}
            aria-autocomplete="list"
            aria-controls={mentions.choices.length > 0 ? `${key}-mentions` : undefined}
            aria-activedescendant={mentions.choices.length > 0 ? `${key}-mention-${mentions.active}` : undefined}
            placeholder={label}
            maxLength={MESSAGE_LIMIT}
            value={text}
            onChange={({ target: { value } }) => onType(value)}
            onKeyDown={handleKey}
            onPaste={(event) => {
              if (event.clipboardData.files.length === 0) return
              event.preventDefault()
              files.add([...event.clipboardData.files])
            }}
          />
          {canRecord && text.trim() === '' && (
            <IconButton icon={Mic} label={t('chat:voice.record')} onClick={() => setRecording(true)} />
          )}
          {onSchedule && state.hasContents && target?.mode !== 'edit' && (
            <IconButton icon={Clock} label={t('chat:scheduled.open')} onClick={onSchedule} />
          )}
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
          <p id={`${key}-error`} className="field-error" role="alert">
            {error}
          </p>
        ) : (
          <p id={`${key}-hint`} className="field-hint mt-1 max-sm:sr-only">
            {t('chat:composer.hint')}
          </p>
        )}
      </form>
      {state.isConfirmingAll && (
        <MentionAllDialog
          conversationId={conversationId}
          onClose={() => state.confirmAll(false)}
          onConfirm={() => state.confirmAll(true)}
          t={t}
        />
      )}
    </>
  )
}

function FileButton({ onAdd, t }: { onAdd(files: readonly File[]): void; t: Translate }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          onAdd([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <button
        type="button"
        className="btn btn-ghost btn-square"
        aria-label={t('chat:files.add')}
        title={t('chat:files.add')}
        onClick={() => input.current?.click()}
      >
        <Paperclip size={20} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </>
  )
}
