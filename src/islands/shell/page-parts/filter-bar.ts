/* Empty fields of a filter bar are omitted from the URL, so that it can be shared. */
document.addEventListener('formdata', (event) => {
  if (!(event.target instanceof HTMLFormElement) || !('filterBar' in event.target.dataset)) return
  const empty = [...event.formData].filter(([, value]) => value === '').map(([name]) => name)
  for (const name of new Set(empty)) event.formData.delete(name)
})
