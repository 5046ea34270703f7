/** Converts lists of Word and Google Docs to HTML lists. */
export function convertLists(body: HTMLElement): void {
  for (const run of findListRuns(body)) buildList(run)
  for (const mark of body.querySelectorAll('[style*="mso-list:Ignore" i]')) mark.remove()
  joinOnlineLists(body)
  nestHangingLists(body)
  convertChecklists(body)
}

interface ListLine {
  paragraph: HTMLElement
  /** From 1. */
  level: number
  ordered: boolean
}

/** Word writes list items as paragraphs with a level; consecutive ones form a list. */
function findListRuns(body: HTMLElement): ListLine[][] {
  const runs: ListLine[][] = []
  let last: Element | null = null
  for (const paragraph of body.querySelectorAll<HTMLElement>('p[style*="mso-list" i], [class*="MsoListParagraph"]')) {
    const style = paragraph.getAttribute('style') ?? ''
    const list = style.split(';').find((part) => part.trim().toLowerCase().startsWith('mso-list:'))
    const level = Number(/\blevel(\d+)/i.exec(list ?? '')?.[1])
    if (!level) continue
    const mark = paragraph.querySelector('[style*="mso-list:Ignore" i]')?.textContent?.trim() ?? ''
    const item = { paragraph, level, ordered: /^\(?[\p{L}\p{N}]{1,4}[.)]/u.test(mark) }
    const run = last && last === paragraph.previousElementSibling ? runs.at(-1) : undefined
    if (run) run.push(item)
    else runs.push([item])
    last = paragraph
  }
  return runs
}

function buildList(items: readonly ListLine[]): void {
  const openLists: { level: number; list: HTMLElement }[] = []
  for (const { paragraph, level, ordered } of items) {
    while ((openLists.at(-1)?.level ?? 0) > level) openLists.pop()
    const name = ordered ? 'ol' : 'ul'
    const current = openLists.at(-1)
    if (current?.level !== level || (current.list.localName !== name && openLists.length === 1)) {
      if (current?.level === level) openLists.pop()
      const list = document.createElement(name)
      const parentItem = openLists.at(-1)?.list.lastElementChild
      if (parentItem) parentItem.append(list)
      else paragraph.before(list)
      openLists.push({ level, list })
    }
    for (const mark of paragraph.querySelectorAll('[style*="mso-list:Ignore" i]')) mark.remove()
    const item = document.createElement('li')
    openLists.at(-1)?.list.append(item)
    item.append(paragraph)
  }
}

/** Word Online puts each item into a list of its own, inside of an own element, with the level of the item. */
function joinOnlineLists(body: HTMLElement): void {
  let last: Element | null = null
  let openLists: HTMLElement[] = []
  for (const container of body.querySelectorAll('.ListContainerWrapper')) {
    const isNext = last !== null && last === container.previousElementSibling
    if (!isNext) openLists = []
    const target: Element = isNext && last ? last : container
    for (const list of [...container.querySelectorAll<HTMLElement>('ul, ol')]) {
      for (const item of [...list.children]) {
        const level = Math.min(Math.max(Number(item.getAttribute('data-aria-level')) || 1, 1), openLists.length + 1)
        openLists.length = Math.min(openLists.length, level)
        if (openLists[level - 1]?.localName !== list.localName) {
          const created = list.cloneNode(false) as HTMLElement
          const parent: Element = openLists[level - 2]?.lastElementChild ?? target
          parent.append(created)
          openLists[level - 1] = created
        }
        openLists[level - 1]?.append(item)
      }
      list.remove()
    }
    if (isNext) container.remove()
    last = target
  }
}

/** Google Docs puts a nested list after the item that it belongs to. */
function nestHangingLists(body: HTMLElement): void {
  for (const list of [...body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')]) {
    const before = list.previousElementSibling
    if (before?.localName === 'li') before.append(list)
  }
}

/** Items of Google's checklists are list items with an image of a checkbox. */
function convertChecklists(body: HTMLElement): void {
  for (const item of body.querySelectorAll('li[role="checkbox"]')) {
    item.setAttribute('data-type', 'taskItem')
    item.setAttribute('data-checked', String(item.getAttribute('aria-checked') === 'true'))
    item.parentElement?.setAttribute('data-type', 'taskList')
    for (const box of item.querySelectorAll('img[aria-roledescription], img[src^="data:"]')) box.remove()
  }
}
