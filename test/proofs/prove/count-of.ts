import process from 'node:process'

/**
 * How many of something a proof makes: what is asked for, unless PONTUAL_PROVE_<NAME> says another number. For a quick try of everything PONTUAL_PROVE_SHARE
 * makes all of them smaller: 0.01 is a hundredth.
 */
export function countOf(name: string, asked: number): number {
  const own = process.env[`PONTUAL_PROVE_${name}`]
  if (own !== undefined) return numberOf(own, `PONTUAL_PROVE_${name}`)
  const share = numberOf(process.env['PONTUAL_PROVE_SHARE'] ?? '1', 'PONTUAL_PROVE_SHARE')
  return Math.max(1, Math.round(asked * share))
}

function numberOf(text: string, name: string): number {
  const number = Number(text)
  if (Number.isFinite(number) && number > 0) return number
  throw new Error(`${name} must be a number above zero, got "${text}".`)
}
