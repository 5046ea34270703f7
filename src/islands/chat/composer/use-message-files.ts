import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { $uploads, type Upload } from '#islands/stores/upload/upload-list.ts'
import { addFiles, cancelUpload } from '#islands/stores/upload/uploads.ts'
import { MAX_CHAT_FILE_BYTES, MAX_MESSAGE_FILES } from '#lib/chat/schema.ts'
import { formatBytes, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { QUIET_CALL } from '../chat-props.ts'

export interface MessageFile {
  key: string
  name: string
  state: 'uploading' | 'waits' | 'ready' | 'failed'
  /** The share of the bytes that have arrived. */
  progress: number
  error: string
}

/** The files that are uploaded for the next message. */
export function useMessageFiles(conversationId: string, t: Translate, locale: Locale) {
  const uploads = useStore($uploads)
  const [uploadIds, setUploadIds] = useState<readonly string[]>([])
  const [voiceKey, setVoiceKey] = useState<string | null>(null)
  const [refused, setRefused] = useState<readonly string[]>([])
  const own = uploads.filter(({ id }) => uploadIds.includes(id))
  const items = own.map(itemOf)

  function add(files: readonly File[]): readonly string[] {
    const messages: string[] = []
    let free = MAX_MESSAGE_FILES - own.length
    const accepted = files.filter((file) => {
      const refusal = refusalOf(file, free)
      if (refusal) messages.push(refusal)
      else free -= 1
      return !refusal
    })
    setRefused([...new Set(messages)])
    const ids = addFiles(
      accepted.map((file) => ({
        file,
        startUpload: (input) => api.chat.startUpload({ conversationId, ...input }, QUIET_CALL),
      })),
    )
    setUploadIds((all) => [...all, ...ids])
    return ids
  }

  function refusalOf({ name, size }: File, free: number): string | null {
    if (size === 0) return t('chat:files.empty', { name })
    if (size > MAX_CHAT_FILE_BYTES)
      return t('chat:files.tooLarge', { name, max: formatBytes(MAX_CHAT_FILE_BYTES, locale) })
    return free <= 0 ? t('chat:files.tooMany') : null
  }

  function remove(key: string): void {
    setRefused([])
    setUploadIds((all) => all.filter((id) => id !== key))
    void cancelUpload(key)
  }

  return {
    items,
    refused,
    add,
    /** Adds a recording; the message is a voice message while it has no other file. */
    addVoice: (voice: File) => setVoiceKey(add([voice])[0] ?? null),
    isVoice: own.length === 1 && own[0]?.id === voiceKey,
    remove,
    isReady: items.every(({ state }) => state === 'ready'),
    /** The ids of the uploaded files. */
    fileIds: own.flatMap(({ fileId }) => fileId ?? []),
    /** The files are no longer those of the next message. */
    clear(): void {
      setUploadIds([])
      setVoiceKey(null)
      setRefused([])
    },
  }
}

function itemOf({ id: key, name, size, sentBytes, step, failure }: Upload): MessageFile {
  const progress = size === 0 ? 0 : sentBytes / size
  const item = { key, name, progress, error: failure?.message ?? '' }
  if (step === 'done' || step === 'processing') return { ...item, state: 'ready' }
  if (step === 'failed' || step === 'lost') return { ...item, state: 'failed' }
  return { ...item, state: step === 'offline' || step === 'signedOut' ? 'waits' : 'uploading' }
}
