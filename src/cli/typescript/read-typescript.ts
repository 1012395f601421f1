import module from 'node:module'
import { extname } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'

/** Says which files have been loaded so far, of those that are the user's own. */
export type LoadedFiles = () => readonly string[]

interface SyncHooks {
  readonly resolve: (
    specifier: string,
    context: unknown,
    nextResolve: (specifier: string, context: unknown) => { readonly url: string },
  ) => { readonly url: string }
}

/** What Node has of its own from 22.18 on, and the types of Node 20 do not know. */
const node = module as typeof module & { readonly registerHooks?: (hooks: SyncHooks) => void }
const readsTypeScript = (process.features as { readonly typescript?: unknown }).typescript !== undefined
/** Of Pontual itself: `src` in a clone, `dist` in the package. */
const OWN_CODE = new URL('../../', import.meta.url).href

/** Lets this process import TypeScript as it stands, and its isolates too. */
export function readTypeScript(): void {
  if (!hasNative()) register(null)
}

/** The same, and remembers which files are loaded from here on. */
export function readAndWatch(): LoadedFiles {
  const urls = new Set<string>()
  const files = () => [...urls].filter(isOfTheUser).map((url) => fileURLToPath(url))
  if (hasNative()) {
    node.registerHooks?.({
      resolve: (specifier, context, nextResolve) => {
        const resolved = nextResolve(specifier, context)
        urls.add(resolved.url)
        return resolved
      },
    })
    return files
  }
  const { port1, port2 } = new MessageChannel()
  register(port2)
  return () => {
    // What was loaded was told before it was handed over, so that it is here by now.
    for (let told = receiveMessageOnPort(port1); told; told = receiveMessageOnPort(port1))
      urls.add(String(told.message))
    return files()
  }
}

/** What a process has to be started with so that it reads TypeScript, and its threads and isolates too. */
export function typeScriptArguments(): readonly string[] {
  return hasNative() ? [] : ['--import', beside('register')]
}

function hasNative(): boolean {
  return readsTypeScript && node.registerHooks !== undefined
}

function register(port: MessagePort | null): void {
  module.register(beside('hooks'), { data: port, transferList: port === null ? [] : [port] })
  // Isolates that are processes get the arguments of their node.
  if (!process.execArgv.includes(beside('register'))) process.execArgv.push(...typeScriptArguments())
}

/** `.ts` in a clone, `.js` in the package. */
function beside(name: string): string {
  return new URL(`${name}${extname(import.meta.url)}`, import.meta.url).href
}

function isOfTheUser(url: string): boolean {
  return url.startsWith('file:') && !url.includes('/node_modules/') && !url.startsWith(OWN_CODE)
}
