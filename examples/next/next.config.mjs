/** Pontual stays outside of the bundle, so that it finds the files of its dashboard. */
const config = { serverExternalPackages: ['pontual'] }

export default config
