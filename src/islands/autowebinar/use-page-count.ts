import { useCallback, useEffect, useState } from 'react'

/** How many pages the slides have, once they are read. */
export function usePages(slides: { fileId: string; address: string } | null): (fileId: string) => number | null {
  const [pages, setPages] = useState<number | null>(null)
  const address = slides?.address
  useEffect(() => {
    if (!address) return
    let gone = false
    let close = () => {}
    void import('#islands/broadcast/slides.ts')
      .then(({ openSlides }) => openSlides(address))
      .then((opened) => {
        close = opened.close
        if (gone) close()
        else setPages(opened.pages)
      })
      .catch(() => {})
    return () => {
      gone = true
      close()
    }
  }, [address])
  const fileId = slides?.fileId
  return useCallback((asked: string) => (asked === fileId ? pages : null), [fileId, pages])
}
