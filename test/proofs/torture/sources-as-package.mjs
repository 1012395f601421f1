import { register } from 'node:module'
import '../../harness/typescript-loader.mjs'

/** Lets a program that imports `pontual` and `pontual/…` run on the sources, without a build: `node --import ./test/proofs/torture/sources-as-package.mjs program.mjs`. */
const isHooksThread = new URL(import.meta.url).searchParams.has('hooks')

if (!isHooksThread) register(`${import.meta.url}?hooks`)

export async function resolve(specifier, context, nextResolve) {
  const [, name] = /^pontual(?:\/(\w+))?$/.exec(specifier) ?? []
  if (!/^pontual(?:\/\w+)?$/.test(specifier)) return nextResolve(specifier, context)
  return nextResolve(new URL(`../../../src/${name ?? 'index'}.ts`, import.meta.url).href, context)
}
