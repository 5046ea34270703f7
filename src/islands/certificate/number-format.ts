import { onPage } from '#islands/stores/page.ts'

const PART = /(\{[A-Z0-9]+\})/

/*
 * The format of certificate numbers as chips with an example. The text field of the form keeps the format, `{YYYY}-{SEQ5}`,
 * and is what people without scripts edit.
 */
onPage(() => {
  for (const box of document.querySelectorAll<HTMLElement>('[data-number-format]')) showChips(box)
  return undefined
})

interface FormatData {
  /** Name of each part, `{YYYY}`, in the language of the page, and its present value. */
  parts: Record<string, { label: string; value: string }>
  remove: string
  text: string
}

function showChips(box: HTMLElement): void {
  const field = box.querySelector<HTMLInputElement>('[name=numberFormat]')
  const [chips, choices] = [box.querySelector('[data-chips]'), box.querySelector('[data-choices]')]
  const [example, editor] = [box.querySelector('[data-example]'), box.querySelector<HTMLElement>('[data-editor]')]
  if (!field || !chips || !choices || !example || !editor) return
  const data: FormatData = JSON.parse(box.dataset.numberFormat ?? '{}')
  const change = (tokens: readonly string[]): void => {
    field.value = tokens.join('')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const render = (): void => {
    const tokens = field.value.split(PART).filter(Boolean)
    const replaceToken = (index: number, token: string) => change(tokens.with(index, token))
    chips.replaceChildren(
      ...tokens.map((token, index) => createToken(data, token, (next) => replaceToken(index, next))),
    )
    const unused = Object.keys(data.parts).filter((part) => !tokens.includes(part) && !isSecondSequence(part, tokens))
    choices.replaceChildren(
      ...unused.map((part) =>
        createButton(`+ ${data.parts[part]?.label}`, () =>
          change([...tokens, ...(tokens.length > 0 ? ['-'] : []), part]),
        ),
      ),
    )
    example.textContent = tokens.map((token) => data.parts[token]?.value ?? token).join('')
  }
  field.addEventListener('input', render)
  field.hidden = true
  field.required = false
  editor.hidden = false
  render()
}

/** A number has exactly one sequence. */
function isSecondSequence(part: string, tokens: readonly string[]): boolean {
  return part.startsWith('{SEQ') && tokens.some((token) => token.startsWith('{SEQ'))
}

function createToken(data: FormatData, token: string, replace: (next: string) => void): HTMLElement {
  const label = PART.test(token) ? (data.parts[token]?.label ?? token) : null
  if (label !== null) {
    const chip = createButton(`${label} ×`, () => replace(''))
    chip.setAttribute('aria-label', `${data.remove}: ${label}`)
    return chip
  }
  const text = document.createElement('input')
  text.className = 'input input-sm w-20'
  text.value = token
  text.setAttribute('aria-label', data.text)
  text.addEventListener('input', (event) => event.stopPropagation())
  text.addEventListener('change', () => replace(text.value.replace(/[{}]/g, '')))
  return text
}

function createButton(label: string, press: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'btn btn-sm'
  button.textContent = label
  button.addEventListener('click', press)
  return button
}
