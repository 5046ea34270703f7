import { type RefObject, useEffect, useState } from 'react'
import { voiceFileName } from '#islands/broadcast/voice-recorder.ts'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { ChatOutbox } from '../chat-outbox.ts'
import { type ConversationMessage, QUIET_CALL, type ScheduledMessage } from '../chat-props.ts'
import { readConversationDraft, saveConversationDraft } from './chat-draft.ts'
import type { MentionChoice } from './use-mentions.ts'
import { useMessageFiles } from './use-message-files.ts'

/** The message to which the text refers. */
export interface ComposerTarget {
  mode: 'reply' | 'edit'
  message: ConversationMessage
}

interface Options {
  conversationId: string
  memberId: string
  /** The message that a text answers unless it answers another one; null outside of a thread. */
  threadSeq: number | null
  outbox: RefObject<ChatOutbox | null>
  onTyped(text: string): void
  onChanged(message: ConversationMessage): void
  onQueued(): void
  locale: Locale
  t: Translate
}

/** The state of a composer: its text with a draft, what it answers or edits, its mentions and files. */
export function useComposer(options: Options) {
  const { conversationId, memberId, threadSeq, outbox, onTyped, onChanged, onQueued, locale, t } = options
  const draftId = threadSeq === null ? conversationId : `${conversationId}/${threadSeq}`
  const [text, setText] = useState('')
  const [target, setTarget] = useState<ComposerTarget | null>(null)
  // Who was chosen from the list after `@`; a choice counts while the text has the name.
  const [mentioned, setMentioned] = useState<readonly MentionChoice[]>([])
  const [isConfirmingAll, setConfirmingAll] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const files = useMessageFiles(conversationId, t, locale)
  useEffect(() => setText((typed) => typed || readConversationDraft(memberId, draftId)), [memberId, draftId])

  const type = (next: string) => {
    setText(next)
    setError(null)
    if (target?.mode !== 'edit') saveConversationDraft(memberId, draftId, next)
    onTyped(next)
  }
  const cancel = () => {
    setTarget(null)
    setText(readConversationDraft(memberId, draftId))
  }
  const mentionsIn = (body: string) => mentioned.filter(({ name }) => body.includes(`@${name}`))
  const contents = () => {
    const body = text.trim()
    const chosen = mentionsIn(body)
    const replyTo = target?.message.seq ?? threadSeq
    return {
      conversationId,
      body,
      mentions: chosen.flatMap((choice) => choice.memberId ?? []),
      mentionsAll: chosen.some((choice) => choice.memberId === null),
      ...(replyTo === null ? {} : { replyTo }),
    }
  }
  const clear = () => {
    setTarget(null)
    setMentioned([])
    setText('')
    saveConversationDraft(memberId, draftId, '')
  }
  const send = () => {
    outbox.current?.add({ ...contents(), fileIds: files.fileIds })
    files.clear()
    clear()
    onQueued()
  }
  const submit = async () => {
    const body = text.trim()
    if (body === '' && files.items.length === 0) return
    if (target?.mode === 'edit') {
      try {
        onChanged(await api.chat.editMessage({ conversationId, seq: target.message.seq, body }, QUIET_CALL))
        cancel()
      } catch (failure) {
        setError(CallError.from(failure).message || t('chat:composer.failed'))
      }
      return
    }
    if (!files.isReady) return setError(t('chat:files.waiting'))
    if (mentionsIn(body).some(({ memberId: mentionedId }) => mentionedId === null)) setConfirmingAll(true)
    else send()
  }
  return {
    text,
    type,
    target,
    cancel,
    submit,
    error,
    files,
    /** Whether there is something to send. */
    hasContents: text.trim() !== '' || files.items.length > 0,
    /** Plans the message, whose files are uploaded, instead of sending it. Rejects when it is refused. */
    async schedule(planned: { messageId: string; body: string; sendAt: string }): Promise<ScheduledMessage> {
      const { mentionsAll: _, ...message } = contents()
      const { fileIds, isVoice } = files
      const saved = await api.chat.scheduleMessage({ ...message, ...planned, fileIds, isVoice }, QUIET_CALL)
      files.clear()
      clear()
      return saved
    },
    /** Adds a recording to the files of the message. */
    addVoice(voice: Blob) {
      const name = `${t('chat:files.voice')}.${voiceFileName(voice.type).split('.').at(-1)}`
      files.addVoice(new File([voice], name, { type: voice.type }))
    },
    isConfirmingAll,
    addMention: (choice: MentionChoice) => setMentioned((all) => [...all, choice]),
    reply: (message: ConversationMessage) => setTarget({ mode: 'reply', message }),
    edit(message: ConversationMessage) {
      setTarget({ mode: 'edit', message })
      setText(message.body)
    },
    fail: setError,
    sendVoice(voice: Blob) {
      const { replyTo } = contents()
      const message = { conversationId, body: '', ...(replyTo === undefined ? {} : { replyTo }) }
      void outbox.current?.addVoice(message, voice)
      setTarget(null)
      onQueued()
    },
    /** Puts a text back that was not sent. */
    restore: (body: string) => setText(body),
    confirmAll(isConfirmed: boolean) {
      setConfirmingAll(false)
      if (isConfirmed) send()
    },
  }
}

export type ComposerState = ReturnType<typeof useComposer>
