import { type TypesetFormula, typesetFormula } from '#lib/core/pdf/typeset-formula.ts'
import type { PrintedBlock, TextRun } from './printed.ts'

/** Different formulas of a test; further ones are printed in TeX. */
const MAX_FORMULAS = 1000

/** The formulas of a test by their runs. */
export interface Formulas {
  find(run: TextRun): TypesetFormula | undefined
}

/** Typesets the formulas of blocks, each once. */
export async function typesetFormulas(blocks: readonly PrintedBlock[]): Promise<Formulas> {
  const typeset = new Map<string, TypesetFormula | null>()
  for (const block of blocks) {
    for (const run of block.kind === 'text' ? block.runs : []) {
      if (!run.formula || typeset.has(formulaKey(run)) || typeset.size >= MAX_FORMULAS) continue
      typeset.set(formulaKey(run), await typesetFormula(run.text, { isBlock: run.formula === 'block' }))
    }
  }
  return { find: (run) => (run.formula ? (typeset.get(formulaKey(run)) ?? undefined) : undefined) }
}

const formulaKey = ({ formula, text }: TextRun): string => `${formula} ${text}`
