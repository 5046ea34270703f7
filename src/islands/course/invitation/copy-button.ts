/**
 * `<copy-button text copied>` with a hidden button inside: shows the button, which copies the text and then displays
 * `copied`.
 */
class CopyButton extends HTMLElement {
  connectedCallback(): void {
    const button = this.querySelector('button')
    if (!button || !('clipboard' in navigator)) return
    const label = button.textContent
    button.hidden = false
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(this.getAttribute('text') ?? '')
      button.textContent = this.getAttribute('copied')
      setTimeout(() => {
        button.textContent = label
      }, 3000)
    })
  }
}

if (!customElements.get('copy-button')) customElements.define('copy-button', CopyButton)
