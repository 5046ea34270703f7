/* Polyfill of `command` and `commandfor` for buttons that open and close a <dialog>. */
const NATIVE_COMMANDS = 'commandForElement' in HTMLButtonElement.prototype
const NATIVE_LIGHT_DISMISS = 'closedBy' in HTMLDialogElement.prototype

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  if (!NATIVE_LIGHT_DISMISS && target instanceof HTMLDialogElement && target.getAttribute('closedby') === 'any')
    target.close()
  const button = NATIVE_COMMANDS ? null : target.closest('button[commandfor]')
  const dialog = document.getElementById(button?.getAttribute('commandfor') ?? '')
  if (!(dialog instanceof HTMLDialogElement)) return
  if (button?.getAttribute('command') === 'show-modal') dialog.showModal()
  if (button?.getAttribute('command') === 'close') dialog.close()
})
