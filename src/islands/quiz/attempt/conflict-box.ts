import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { AnswerValue } from '#lib/quiz/question/schema.ts'

export type ChosenAnswer = 'mine' | 'theirs' | 'both'

/**
 * Shows the choice which answer to keep after another device has changed it; both texts of an essay can be kept.
 * Returns a function that removes it.
 */
export function showConflict(
  question: HTMLElement,
  theirs: AnswerValue | null,
  t: Translate,
  onChoose: (choice: ChosenAnswer) => void,
): () => void {
  const place = question.querySelector<HTMLElement>('[data-conflict]')
  if (!place) return () => undefined
  const close = () => place.replaceChildren()
  const box = document.createElement('div')
  box.className = 'attempt-conflict'
  box.setAttribute('role', 'alert')
  box.append(createParagraph(t('attempt:save.conflictText')))
  if (theirs && 'text' in theirs) {
    const quote = document.createElement('blockquote')
    quote.textContent = theirs.text
    box.append(createParagraph(t('attempt:save.theirAnswer'), 'text-sm text-muted'), quote)
  }
  const buttons = createParagraph('', 'flex flex-wrap gap-3')
  const choices: readonly ChosenAnswer[] = theirs?.type === 'essay' ? ['mine', 'theirs', 'both'] : ['mine', 'theirs']
  for (const choice of choices) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'btn btn-sm'
    button.dataset.choice = choice
    button.textContent = t(`attempt:save.${choice}`)
    button.addEventListener('click', () => {
      close()
      onChoose(choice)
    })
    buttons.append(button)
  }
  box.append(buttons)
  place.replaceChildren(box)
  return close
}

function createParagraph(text: string, className = ''): HTMLParagraphElement {
  const element = document.createElement('p')
  element.textContent = text
  element.className = className
  return element
}
