/** Makes server-rendered password fields better: rules tick off while typing, the password can be shown. */
export function enhancePasswordFields(): void {
  for (const field of document.querySelectorAll<HTMLElement>('[data-password]')) {
    const input = field.querySelector('input')
    if (!input) continue
    const rules = [...field.querySelectorAll<HTMLElement>('[data-pattern]')]
    const tick = () => {
      for (const rule of rules) {
        rule.dataset.kept = String(new RegExp(rule.dataset.pattern ?? '', 'u').test(input.value))
      }
    }
    input.addEventListener('input', tick)
    tick()

    const turn = field.querySelector<HTMLButtonElement>('[data-reveal]')
    if (!turn) continue
    turn.hidden = false
    turn.addEventListener('click', () => {
      const shown = input.type === 'text'
      input.type = shown ? 'password' : 'text'
      turn.setAttribute('aria-pressed', String(!shown))
      turn.textContent = (shown ? turn.dataset.show : turn.dataset.hide) ?? ''
    })
  }
}
