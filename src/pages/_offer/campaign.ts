/** The parameters of an address that say where a buyer came from: a campaign, and the button of an event. */
export function campaignOf(query: URLSearchParams): [string, string][] {
  const utm = [...query].filter(([name]) => /^utm_[a-z]{1,20}$/.test(name)).slice(0, 10)
  const button = query.get('button')
  return button ? [...utm, ['button', button.slice(0, 80)]] : utm
}
