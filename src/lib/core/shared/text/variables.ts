/** Replaces `{name}` by the value of that name, an empty one together with the space before it; other braces stay. */
export function fillVariables(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/( ?)\{(\w{1,40})\}/g, (placeholder, space: string, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === undefined ? placeholder : value && `${space}${value}`
  })
}
