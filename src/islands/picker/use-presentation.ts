import { useEffect, useRef, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { $uploads } from '#islands/stores/upload/upload-list.ts'
import { addFiles } from '#islands/stores/upload/uploads.ts'
import { findStoredFile, isStored, type PickedFile } from './stored-file.ts'
import type { PickKind } from './use-file-list.ts'

/** The conversion of a presentation to PDF. `unavailable`: the server has no converter, or none for this format. */
export interface Conversion {
  name: string
  step: 'uploading' | 'converting' | 'failed' | 'unavailable'
  uploadId: string | null
  fileId: string | null
}

const POLL_MS = 1500
const quietCall = { context: { isQuiet: true } }

/** Whether a file is a presentation where only PDF files are accepted as slides. */
export const isPresentation = (name: string, kinds: readonly PickKind[]): boolean =>
  kinds.includes('pdf') && !kinds.includes('file') && /\.(?:pptx?|pptm|ppsx?|potx?|odp|key)$/i.test(name)

/** Uploads presentations, which the server converts to PDF and then deletes; `onArrived` gets the PDF. */
export function usePresentation(onArrived: (file: PickedFile) => void) {
  const [conversion, setConversion] = useState<Conversion | null>(null)
  const latest = useRef(onArrived)
  latest.current = onArrived
  const { step, uploadId, fileId } = conversion ?? { step: null, uploadId: null, fileId: null }

  useEffect(() => {
    if (step !== 'uploading' || !uploadId) return
    return $uploads.subscribe((uploads) => {
      const upload = uploads.find(({ id }) => id === uploadId)
      if (!upload) setConversion(null)
      else if (isStored(upload))
        setConversion((current) => current && { ...current, step: 'converting', fileId: upload.fileId })
    })
  }, [step, uploadId])

  useEffect(() => {
    if (step !== 'converting' || !fileId) return
    const timer = setInterval(async () => {
      const state = await api.storage.getPresentation({ fileId }, quietCall).catch(() => null)
      if (!state || state.is === 'pending') return
      clearInterval(timer)
      const file = state.is === 'ready' ? await findStoredFile(state.fileId).catch(() => null) : null
      if (file) latest.current(file)
      setConversion((current) => (file || !current ? null : { ...current, step: 'failed' }))
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [step, fileId])

  const convert = async (file: File) => {
    const started: Conversion = { name: file.name, step: 'uploading', uploadId: null, fileId: null }
    setConversion(started)
    const { isAvailable } = await api.storage.getConverter(undefined, quietCall).catch(() => ({ isAvailable: false }))
    if (!isAvailable || /\.key$/i.test(file.name)) return setConversion({ ...started, step: 'unavailable' })
    const startUpload: NonNullable<Parameters<typeof addFiles>[0][number]['startUpload']> = (input) =>
      api.storage.startPresentation(input, quietCall)
    setConversion({ ...started, uploadId: addFiles([{ file, startUpload }])[0] ?? null })
  }
  return { conversion, convert, reset: () => setConversion(null) }
}
