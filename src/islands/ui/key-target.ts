/** Whether a key belongs to the field in which the person types, so that it is no shortcut. */
export function isTypingTarget(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'))
}

/** The element in `root` with the `data-key` of the letter that was pressed, on any keyboard layout. */
export function findKeyControl(root: ParentNode, { code }: KeyboardEvent): HTMLElement | null {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase()
  return letter ? root.querySelector<HTMLElement>(`[data-key="${letter}"]`) : null
}
