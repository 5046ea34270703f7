/** Mutants that change nothing which a test could see, or nothing of a rule. */
export interface EquivalentMutants {
  file: string
  /** Part of the source line of the mutants; it occurs in the file. */
  line: string
  /** What Stryker puts there; absent: any change of the line. */
  replacements?: readonly string[]
  reason: string
}

export const EQUIVALENT_MUTANTS: readonly EquivalentMutants[] = [
  {
    file: 'src/lib/offer/money-rules.ts',
    line: "const [, whole, fraction = '']",
    replacements: ['["Stryker was here"]'],
    reason: 'Of a list with one item, the second is missing too.',
  },
  {
    file: 'src/lib/offer/order/rules.ts',
    line: 'order.nextDueAt !== null &&',
    replacements: ['true'],
    reason: 'null is not later than an instant.',
  },
  {
    file: 'src/lib/offer/price-rules.ts',
    line: "terms.kind !== 'installments' || total === 0",
    replacements: ['false', "terms.kind !== 'installments' || false"],
    reason: 'Without a total there are no parts, or one of zero.',
  },
  {
    file: 'src/lib/offer/price-rules.ts',
    line: 'if (count <= 0) return amount > 0',
    reason: 'Called with no parts only after a first payment: a further one of zero is removed afterwards.',
  },
  {
    file: 'src/lib/offer/report/month-rules.ts',
    line: 'addReportMonths(day.slice(0, 7), 1)',
    replacements: ['day'],
    reason: 'Only the year and the month of the text are read.',
  },
  {
    file: 'src/lib/billing/quote-rules.ts',
    line: 'isPaid && until !== null && until > at',
    replacements: ['isPaid && true', 'true'],
    reason: 'null is not later than an instant.',
  },
  {
    file: 'src/lib/billing/quote-rules.ts',
    line: 'rankOf(bought) > rankOf(present)',
    replacements: ['rankOf(bought) >= rankOf(present)'],
    reason: 'Two plans of one rank are the same.',
  },
  {
    file: 'src/lib/billing/quote-rules.ts',
    line: 'isPaid = false } = present ?? {}',
    replacements: ['true'],
    reason: 'Read only where there is a present plan.',
  },
  {
    file: 'src/lib/billing/quote-rules.ts',
    line: 'const isContinued = until > at',
    replacements: ['until >= at'],
    reason: 'Both results are the same instant.',
  },
  {
    file: 'src/lib/billing/quote-rules.ts',
    line: '(from < earliest ? from : earliest)',
    replacements: ['from <= earliest'],
    reason: 'Both are the same instant.',
  },
  {
    file: 'src/lib/billing/quote-rules.ts',
    line: 'boundaries.every((end) => end > since)',
    replacements: ['end >= since'],
    reason: 'Of one more earlier period nothing is left.',
  },
  {
    file: 'src/lib/billing/proration-rules.ts',
    line: 'if (rest.numerator <= 0n) return 0',
    replacements: ['rest.numerator < 0n'],
    reason: 'Zero is divided to zero.',
  },
  {
    file: 'src/lib/billing/proration-rules.ts',
    line: 'return left > 0 ?',
    replacements: ['true', 'left >= 0'],
    reason: 'Nothing is added for a period of which nothing is left.',
  },
  {
    file: 'src/lib/billing/proration-rules.ts',
    line: 'if (at >= until || whole.numerator === 0n)',
    replacements: ['at > until'],
    reason: 'At its end nothing is left of a discount.',
  },
  {
    file: 'src/lib/billing/proration-rules.ts',
    line: 'periodsAfter(boundaries, at > from ? at : from)',
    replacements: ['at >= from'],
    reason: 'Both are the same instant.',
  },
]
