import { ChevronLeft, ChevronRight } from 'lucide-react'
import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist'
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { useEffect, useRef, useState } from 'react'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import type { StorageI18n } from '../file-text.ts'

interface Props {
  address: string
  i18n: StorageI18n
  onFail: () => void
}

GlobalWorkerOptions.workerSrc = workerAddress

/** A PDF page by page. Scripts and compiled fonts are disabled. */
export default function PdfPreview({ address, i18n, onFail }: Props) {
  const { t } = i18n
  const canvas = useRef<HTMLCanvasElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null)
  const [page, setPage] = useState(1)
  useEffect(() => {
    const task = getDocument({ url: address, enableXfa: false, disableAutoFetch: true, useSystemFonts: true })
    task.promise.then(setPdf, (error: Error) => error.name !== 'AbortException' && onFail())
    return () => void task.destroy()
  }, [address, onFail])
  useEffect(() => {
    if (!pdf || !canvas.current || !frame.current) return
    const drawing = drawPage(pdf, page, canvas.current, frame.current.clientWidth)
    return () => drawing.cancel()
  }, [pdf, page])
  return (
    <div ref={frame} className="grid w-full justify-items-center gap-2">
      {!pdf && <Skeleton shape="lines" count={6} label={t('storage:details.loading')} />}
      <canvas
        ref={canvas}
        className="h-auto max-w-full rounded-field border border-base-300 bg-white"
        role="img"
        aria-label={t('storage:details.pdfPage', { page, pages: pdf?.numPages ?? 1 })}
        hidden={!pdf}
      />
      {pdf && pdf.numPages > 1 && (
        <div className="flex items-center gap-2 text-sm">
          <button
            type="button"
            className="btn btn-sm btn-square"
            aria-label={t('storage:details.pdfPrevious')}
            disabled={page === 1}
            onClick={() => setPage(page - 1)}
          >
            <ChevronLeft size={18} strokeWidth={1.75} aria-hidden="true" />
          </button>
          <span aria-live="polite" className="tabular">
            {t('storage:details.pdfPage', { page, pages: pdf.numPages })}
          </span>
          <button
            type="button"
            className="btn btn-sm btn-square"
            aria-label={t('storage:details.pdfNext')}
            disabled={page === pdf.numPages}
            onClick={() => setPage(page + 1)}
          >
            <ChevronRight size={18} strokeWidth={1.75} aria-hidden="true" />
          </button>
        </div>
      )}
    </div>
  )
}

const MAX_WIDTH = 900

/** Renders a page at the width of its container and the resolution of the screen. */
function drawPage(
  pdf: PDFDocumentProxy,
  number: number,
  canvas: HTMLCanvasElement,
  room: number,
): { cancel: () => void } {
  let cancel = () => {}
  let isCanceled = false
  void pdf.getPage(number).then(async (page) => {
    if (isCanceled) return
    const natural = page.getViewport({ scale: 1 })
    const scale = Math.min(MAX_WIDTH, room || MAX_WIDTH) / natural.width
    const viewport = page.getViewport({ scale: scale * Math.min(2, window.devicePixelRatio) })
    canvas.width = viewport.width
    canvas.height = viewport.height
    canvas.style.width = `${natural.width * scale}px`
    const task = page.render({ canvas, viewport })
    cancel = () => task.cancel()
    await task.promise.catch(() => undefined)
  })
  return {
    cancel: () => {
      isCanceled = true
      cancel()
    },
  }
}
