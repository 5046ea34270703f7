import { onPage } from '#islands/stores/page.ts'

/*
 * An embed is a link on the page; a click replaces it with the frame. Until then no request is sent to the other site,
 * and without scripts the link opens it.
 */
onPage(() => {
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return
    const link = event.target.closest<HTMLAnchorElement>('a.lesson-embed-link')
    const container = link?.closest<HTMLElement>('[data-embed]')
    const address = container?.dataset.embed
    if (!link || !container || !address) return
    event.preventDefault()
    container.replaceChildren(createFrame(address, link.querySelector('.lesson-file-name')?.textContent ?? ''))
    container.querySelector('iframe')?.focus()
  }
  document.addEventListener('click', onClick)
  return () => document.removeEventListener('click', onClick)
})

function createFrame(address: string, title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.src = address
  frame.title = title
  frame.allow = 'fullscreen; picture-in-picture; encrypted-media'
  // Without an origin some players refuse to play.
  frame.referrerPolicy = 'strict-origin-when-cross-origin'
  return frame
}
