import fc from 'fast-check'

/** Properties are tried on the same values in every run of the tests; on others with PROPERTY_SEED=random, or a number. */
const given = process.env.PROPERTY_SEED ?? '20261115'
fc.configureGlobal(given === 'random' ? {} : { seed: Number(given) })
