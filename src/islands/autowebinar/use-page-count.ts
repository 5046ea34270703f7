import { useCallback, useEffect, useState } from 'react'

/** Returns a function that gives the number of pages of the slides; null until they are loaded. */
export function usePageCount(slides: { fileId: string; address: string } | null): (fileId: string) => number | null {
  const [pageCount, setPageCount] = useState<number | null>(null)
  const address = slides?.address
  useEffect(() => {
    if (!address) return
    let isClosed = false
    let close = () => {}
    void import('#islands/broadcast/slides.ts')
      .then(({ openSlideDeck: openSlides }) => openSlides(address))
      .then((opened) => {
        close = opened.close
        if (isClosed) close()
        else setPageCount(opened.pageCount)
      })
      .catch(() => {})
    return () => {
      isClosed = true
      close()
    }
  }, [address])
  const fileId = slides?.fileId
  return useCallback((requestedFileId: string) => (requestedFileId === fileId ? pageCount : null), [fileId, pageCount])
}
