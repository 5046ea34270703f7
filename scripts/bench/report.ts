import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export interface Row {
  label: string
  ours: string
  baseline: string
  /** The value that is compared with the goal, with its unit. */
  result: string
  goal: string
  /** Null without a goal. */
  reached: boolean | null
}

export interface Section {
  title: string
  /** Description of the baseline and other explanations. */
  note: string
  rows: Row[]
}

export function ratioRow(label: string, ours: string, baseline: string, ratio: number, goal: number): Row {
  return { label, ours, baseline, result: ratio.toFixed(2), goal: `≥ ${goal}`, reached: ratio >= goal }
}

export function limitRow(label: string, measured: number, unit: string, most: number | null, digits = 0): Row {
  const result = `${measured.toFixed(digits)}${unit}`
  const goal = most === null ? '' : `≤ ${most}${unit}`
  return { label, ours: result, baseline: '', result, goal, reached: most === null ? null : measured <= most }
}

export function printed({ title, note, rows }: Section): string {
  const lines = [HEADS, ...rows.map(cells)]
  const widths = HEADS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const table = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return `\n${title}\n${note}\n\n${table.join('\n')}\n`
}

/** Writes the results to docs/benchmarks.md; each section replaces its previous version. */
export function write(root: string, sections: Section[]): void {
  const file = path.join(root, 'docs/benchmarks.md')
  const [, ...older] = fs.readFileSync(file, 'utf8').split(/^(?=## )/m)
  const texts = new Map(older.map((text) => [sectionTitle(text), text.trim()]))
  const when = `_${machine(root)}_`
  for (const { title, note, rows } of sections) {
    const lines = [HEADS, HEADS.map(() => '---'), ...rows.map(cells)]
    const table = lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
    texts.set(title, `## ${title}\n\n${when}\n\n${note}\n\n${table}`)
  }
  fs.writeFileSync(file, `${[HEAD, ...texts.values()].join('\n\n')}\n`)
}

const sectionTitle = (text: string): string => text.slice(3, text.indexOf('\n'))

const HEAD = `# Measurements

Written by \`npm run bench\`, all of it or the parts that are named; how it measures:
[decision 060](decisions/060-how-speed-is-measured.md).`

const VERDICTS: Record<string, string> = { true: 'ok', false: 'not reached' }
const HEADS = ['What', 'Ours', 'Baseline', 'Result', 'Goal', '']

function cells({ label, ours, baseline, result, goal, reached }: Row): string[] {
  return [label, ours, baseline, result, goal, VERDICTS[String(reached)] ?? '']
}

function machine(root: string): string {
  const cpus = os.cpus()
  const memory = Math.round(os.totalmem() / 1024 ** 3)
  const commit = execFileSync('git', ['log', '-1', '--format=%h'], { cwd: root, encoding: 'utf8' }).trim()
  const model = cpus[0]?.model.trim() ?? 'unknown processor'
  return `${new Date().toISOString().slice(0, 10)}, commit ${commit}; ${model}, ${cpus.length} cores, ${memory} GB; Node ${process.versions.node}, ${os.type()} ${os.release()}.`
}
