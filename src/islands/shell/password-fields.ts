/** Enhances server-rendered password fields: checks the rules while typing and allows to show the password. */
export function enhancePasswordFields(): void {
  for (const field of document.querySelectorAll<HTMLElement>('[data-password]')) {
    const input = field.querySelector('input')
    if (!input) continue
    const rules = [...field.querySelectorAll<HTMLElement>('[data-pattern]')]
    const checkRules = () => {
      for (const rule of rules) {
        rule.dataset.passed = String(new RegExp(rule.dataset.pattern ?? '', 'u').test(input.value))
      }
    }
    input.addEventListener('input', checkRules)
    checkRules()

    const revealButton = field.querySelector<HTMLButtonElement>('[data-reveal]')
    if (!revealButton) continue
    revealButton.classList.remove('invisible')
    revealButton.addEventListener('click', () => {
      const isShown = input.type === 'text'
      input.type = isShown ? 'password' : 'text'
      revealButton.setAttribute('aria-pressed', String(!isShown))
      revealButton.textContent = (isShown ? revealButton.dataset.show : revealButton.dataset.hide) ?? ''
    })
  }
}
