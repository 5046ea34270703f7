import { openSlideDeck } from '#islands/broadcast/slides.ts'

const MAX_PAGES = 60
const PAGE_WIDTH_PX = 220

/** Draws thumbnails of the selected PDF and shows the number of pages, or that it cannot be opened. */
export function drawSlides(section: HTMLElement): () => void {
  const caption = section.querySelector<HTMLElement>('[data-slides-status]')
  const list = section.querySelector<HTMLElement>('[data-slides-list]')
  const { slides: address = '', pages = '', page = '', failed = '' } = section.dataset
  let isClosed = false
  let close = () => {}
  const draw = async () => {
    const slides = await openSlideDeck(address)
    close = () => slides.close()
    if (isClosed) return close()
    const count = document.createElement('span')
    count.textContent = ` · ${pages.replace('{{count}}', String(slides.pageCount))}`
    caption?.append(count)
    for (let number = 1; number <= Math.min(slides.pageCount, MAX_PAGES) && !isClosed; number += 1) {
      const canvas = Object.assign(document.createElement('canvas'), {
        className: 'w-full rounded border border-base-300',
      })
      canvas.setAttribute('role', 'img')
      canvas.setAttribute('aria-label', page.replace('{{number}}', String(number)))
      const item = document.createElement('li')
      item.append(canvas)
      list?.append(item)
      await slides.draw(number, canvas, { width: PAGE_WIDTH_PX })
    }
  }
  draw().catch(() => {
    if (caption && !isClosed) caption.textContent = failed
  })
  return () => {
    isClosed = true
    close()
  }
}
