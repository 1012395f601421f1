/** `pontual/testing`: the engine of production under a clock that you move. */
export { type TestOptions, TestPontual, testPontual } from './testing/test-pontual.ts'
