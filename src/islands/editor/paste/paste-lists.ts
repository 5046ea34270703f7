/** Lists as Word and Google Docs lay them into the clipboard, made to lists as HTML has them. */
export function pasteLists(body: HTMLElement): void {
  for (const run of runsOf(body)) listOf(run)
  for (const mark of body.querySelectorAll('[style*="mso-list:Ignore" i]')) mark.remove()
  hanging(body)
  checklists(body)
}

interface Line {
  paragraph: HTMLElement
  /** From 1. */
  level: number
  ordered: boolean
}

/** Word writes lines of a list as paragraphs that name their level; those that follow each other are one list. */
function runsOf(body: HTMLElement): Line[][] {
  const runs: Line[][] = []
  let last: Element | null = null
  for (const paragraph of body.querySelectorAll<HTMLElement>('p[style*="mso-list" i], [class*="MsoListParagraph"]')) {
    const style = paragraph.getAttribute('style') ?? ''
    const list = style.split(';').find((part) => part.trim().toLowerCase().startsWith('mso-list:'))
    const level = Number(/\blevel(\d+)/i.exec(list ?? '')?.[1])
    if (!level) continue
    const mark = paragraph.querySelector('[style*="mso-list:Ignore" i]')?.textContent?.trim() ?? ''
    const line = { paragraph, level, ordered: /^\(?[\p{L}\p{N}]{1,4}[.)]/u.test(mark) }
    const run = last && last === paragraph.previousElementSibling ? runs.at(-1) : undefined
    if (run) run.push(line)
    else runs.push([line])
    last = paragraph
  }
  return runs
}

function listOf(lines: readonly Line[]): void {
  const open: { level: number; list: HTMLElement }[] = []
  for (const { paragraph, level, ordered } of lines) {
    while ((open.at(-1)?.level ?? 0) > level) open.pop()
    const name = ordered ? 'ol' : 'ul'
    const here = open.at(-1)
    if (here?.level !== level || (here.list.localName !== name && open.length === 1)) {
      if (here?.level === level) open.pop()
      const list = document.createElement(name)
      const above = open.at(-1)?.list.lastElementChild
      if (above) above.append(list)
      else paragraph.before(list)
      open.push({ level, list })
    }
    for (const mark of paragraph.querySelectorAll('[style*="mso-list:Ignore" i]')) mark.remove()
    const item = document.createElement('li')
    open.at(-1)?.list.append(item)
    item.append(paragraph)
  }
}

/** Google Docs hangs a nested list beside the item that it belongs to. */
function hanging(body: HTMLElement): void {
  for (const list of [...body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')]) {
    const before = list.previousElementSibling
    if (before?.localName === 'li') before.append(list)
  }
}

/** Items of Google's checklists are list items with a box drawn into them. */
function checklists(body: HTMLElement): void {
  for (const item of body.querySelectorAll('li[role="checkbox"]')) {
    item.setAttribute('data-type', 'taskItem')
    item.setAttribute('data-checked', String(item.getAttribute('aria-checked') === 'true'))
    item.parentElement?.setAttribute('data-type', 'taskList')
    for (const box of item.querySelectorAll('img[aria-roledescription], img[src^="data:"]')) box.remove()
  }
}
