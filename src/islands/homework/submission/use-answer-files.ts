import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { $uploads, type Upload } from '#islands/stores/upload/upload-list.ts'
import { addFiles, cancelUpload, prepareUploads } from '#islands/stores/upload/uploads.ts'
import { listWaitingFiles } from '#islands/stores/upload/waiting-files.ts'
import { formatBytes, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { taskAcceptsFile } from '#lib/homework/rules.ts'
import type { Recorded } from '../recording/recording-state.ts'
import { keepUntilUploaded, startRecordedUpload } from '../recording/recording-upload.ts'
import { type FileItemState, storedFileItem } from './file-item.ts'
import type { SubmissionProps, SubmittedFile } from './submission-props.ts'

/** The files of an answer: uploaded ones and running uploads. `reviewed` is the upload of a recording. */
export function useAnswerFiles(own: SubmissionProps, t: Translate, locale: Locale, reviewed: string | null) {
  const uploads = useStore($uploads)
  const [files, setFiles] = useState<readonly SubmittedFile[]>(own.files)
  const [uploadIds, setUploadIds] = useState<readonly string[]>([])
  const [refused, setRefused] = useState<readonly string[]>([])
  const { owner, taskId, attempt } = own

  const added = uploads.filter(({ id, fileId }) => uploadIds.includes(id) && !files.some((file) => file.id === fileId))
  // A recording that is played back is not an interrupted file.
  const shown = files.filter(({ id }) => id !== reviewed)
  const items = [
    ...shown.map((file) =>
      itemOfFile(
        file,
        uploads.find(({ fileId }) => fileId === file.id),
      ),
    ),
    ...added.map((upload) => itemOfUpload(upload)),
  ]

  const activeCount = items.filter(({ step }) => step !== 'failed').length

  function itemOfFile(file: SubmittedFile, upload: Upload | undefined): FileItemState {
    const uploadStatus = upload && !file.arrived ? uploadState(upload) : null
    return { ...storedFileItem(file), ...uploadStatus, remove: () => remove(file.id, upload) }
  }

  function itemOfUpload(upload: Upload): FileItemState {
    const { id: key, name, size, fileId } = upload
    return { key, name, size, ...uploadState(upload), remove: () => remove(fileId, upload) }
  }

  async function remove(fileId: string | null, upload: Upload | undefined): Promise<void> {
    setRefused([])
    try {
      if (upload) await cancelUpload(upload.id)
      if (fileId) await api.homework.removeFile({ taskId, attempt, fileId }, { context: { isQuiet: true } })
      setFiles((all) => all.filter(({ id }) => id !== fileId))
      setUploadIds((all) => all.filter((id) => id !== upload?.id))
    } catch (error) {
      setRefused([CallError.from(error).message || t('shell:save.offline')])
    }
  }

  function add(files: readonly File[]): void {
    const messages: string[] = []
    let freeCount = own.maxFiles - activeCount
    const accepted = files.filter((file) => {
      const resumesUpload = items.some(
        ({ step, name, size }) => step === 'interrupted' && name === file.name && size === file.size,
      )
      const refusal = resumesUpload ? null : findRefusal(file, own, freeCount, t, locale)
      if (refusal) messages.push(refusal)
      else if (!resumesUpload) freeCount -= 1
      return !refusal
    })
    setRefused(messages)
    const ids = uploadAnswerFiles(
      own,
      accepted.map((file) => ({ file })),
    )
    setUploadIds((all) => [...all, ...ids])
  }

  // Files that were chosen in a tab that was closed before they arrived. The server resumes what it has of them.
  useEffect(() => {
    const place = { owner, taskId, attempt }
    let isLeft = false
    void prepareUploads()
    void listWaitingFiles(answerPlace(place)).then((waiting) => {
      if (isLeft || waiting.length === 0) return
      const ids = uploadAnswerFiles(place, waiting)
      setUploadIds((all) => [...all, ...ids])
    })
    return () => {
      isLeft = true
    }
  }, [owner, taskId, attempt])

  /** Adds a recording whose upload may have started. */
  function addRecorded({ recordingId, file, uploadId }: Recorded): void {
    setRefused([])
    setFiles((all) => all.filter(({ id }) => id !== uploadId))
    const [id = ''] = addFiles([
      { file, startUpload: (about) => startRecordedUpload({ taskId, attempt }, uploadId, about) },
    ])
    keepUntilUploaded(id, recordingId)
    setUploadIds((all) => [...all, id])
  }

  return { items, add, addRecorded, refused, isFull: activeCount >= own.maxFiles }
}

type AnswerPlace = Pick<SubmissionProps, 'owner' | 'taskId' | 'attempt'>

/** Under which the files of an answer wait on this device. */
const answerPlace = ({ owner, taskId, attempt }: AnswerPlace) => `${owner} homework ${taskId} ${attempt} `

/** Starts the uploads of files into an answer. Returns their ids in order. */
function uploadAnswerFiles(answer: AnswerPlace, chosen: readonly { id?: string; file: File }[]): string[] {
  const { taskId, attempt } = answer
  const place = answerPlace(answer)
  const startUpload = (input: Parameters<typeof api.homework.startUpload>[0]) =>
    api.homework.startUpload(input, { context: { isQuiet: true } })
  return addFiles(
    chosen.map(({ id, file }) => ({
      file,
      place,
      startUpload: (input) => startUpload({ taskId, attempt, ...input }),
      ...(id ? { id } : {}),
    })),
  )
}

function uploadState({
  step,
  sentBytes: sent,
  size,
  failure,
}: Upload): Pick<FileItemState, 'step' | 'progress' | 'error'> {
  const share = size === 0 ? 0 : sent / size
  if (step === 'done' || step === 'processing') return { step: 'arrived', progress: 1, error: '' }
  if (step === 'failed') return { step: 'failed', progress: share, error: failure?.message ?? '' }
  if (step === 'lost' || step === 'paused') return { step: 'interrupted', progress: share, error: '' }
  return { step: step === 'offline' || step === 'signedOut' ? 'waits' : 'coming', progress: share, error: '' }
}

/** Checks that the server would make anyway, before the upload. */
function findRefusal(
  { name, size, type }: File,
  own: SubmissionProps,
  freeCount: number,
  t: Translate,
  locale: Locale,
): string | null {
  if (size === 0) return t('errors:file_empty')
  if (size > own.maxBytes) {
    const max = formatBytes(own.maxBytes, locale)
    return `${name}: ${t('errors:file_too_large').replace('{{max, bytes}}', max)}`
  }
  if (freeCount <= 0) return t('errors:homework_many_files', { max: own.maxFiles })
  const [kind = ''] = type.split('/')
  // Browsers report documents with different types: the server checks those.
  const isKnownKind = kind === 'image' || kind === 'video' || kind === 'audio'
  const isAccepted = taskAcceptsFile(own.acceptTypes, { kind: isKnownKind ? kind : 'doc', name })
  return isAccepted || (!isKnownKind && own.acceptTypes.includes('doc')) ? null : t('errors:homework_type', { name })
}
