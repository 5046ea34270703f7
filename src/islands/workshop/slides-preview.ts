import { openSlides } from '#islands/broadcast/slides.ts'

const SHOWN = 60
const WIDTH = 220

/** Draws small pages of the chosen PDF and says how many there are, or that it can't be opened. */
export function drawSlides(place: HTMLElement): () => void {
  const said = place.querySelector<HTMLElement>('[data-slides-said]')
  const list = place.querySelector<HTMLElement>('[data-slides-list]')
  const { slides: address = '', pages = '', page = '', failed = '' } = place.dataset
  let gone = false
  let close = () => {}
  const draw = async () => {
    const slides = await openSlides(address)
    close = () => slides.close()
    if (gone) return close()
    const count = document.createElement('span')
    count.textContent = ` · ${pages.replace('{{count}}', String(slides.pages))}`
    said?.append(count)
    for (let number = 1; number <= Math.min(slides.pages, SHOWN) && !gone; number += 1) {
      const canvas = Object.assign(document.createElement('canvas'), {
        className: 'w-full rounded border border-base-300',
      })
      canvas.setAttribute('role', 'img')
      canvas.setAttribute('aria-label', page.replace('{{number}}', String(number)))
      const item = document.createElement('li')
      item.append(canvas)
      list?.append(item)
      await slides.draw(number, canvas, { width: WIDTH })
    }
  }
  draw().catch(() => {
    if (said && !gone) said.textContent = failed
  })
  return () => {
    gone = true
    close()
  }
}
